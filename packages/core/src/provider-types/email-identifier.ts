const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The one form of an address that we store, compare and send to.
 *
 * The grammar is strict on purpose: a dot-atom, one `@` and a host name with a dot (RFC 5321 §4.1.2). What a mail
 * server could read in another way, quotes and comments above all, is no address here.
 *
 * @returns The address, or `null` for anything else.
 */
export function normalizeIdentifier(text: string): string | null {
  if (text.length > 320) return null
  const address = text.normalize('NFKC').trim().toLowerCase()
  const [local = '', domain = '', ...more] = address.split('@')
  if (more.length > 0 || address.length > 254 || local.length > 64) return null
  // An address that begins with a dash reads like an option of a command.
  if (!localPart.test(local) || local.startsWith('-')) return null
  const labels = domain.split('.')
  const isHost = labels.length > 1 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return isHost ? address : null
}
