/** An address with the first character of its name: enough for its owner to recognize it. */
export function shortenAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? address : `${Array.from(address)[0]}…${address.slice(at)}`
}
