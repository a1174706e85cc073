/** What is neither a letter nor a digit. */
const others = /[^\p{L}\p{N}]+/gu

/** The name of the file with the recovery codes of a site, such as `acme-recovery-codes.txt`: it is found years later. */
export function getFileName(siteName: string): string {
  const words = siteName.normalize('NFKC').toLowerCase().replaceAll(others, ' ').trim().split(' ').filter(Boolean)
  return `${[...words, 'recovery-codes'].join('-')}.txt`
}
