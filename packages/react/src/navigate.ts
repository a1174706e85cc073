/** Sends the browser to an address. */
export function go(address: string): void {
  const { href } = location
  const target = new URL(address, href).href
  location.href = target
  // A browser that goes to another part of the page it is on does not load it again.
  if (target.includes('#') && target.split('#')[0] === href.split('#')[0]) location.reload()
}
