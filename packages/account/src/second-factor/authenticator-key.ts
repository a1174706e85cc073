import { digits, period } from './totp.ts'

/** RFC 4648 §6 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)] ?? '').join('')
}

/** What the key is for, as the authenticator shows it. */
interface KeyOwner {
  readonly issuer: string
  readonly account: string
}

/** A key as it is typed into an authenticator, and as its QR code contains it. */
export interface AuthenticatorKey {
  /** In groups of four letters. */
  readonly text: string
  /** An `otpauth:` URL. */
  readonly url: string
}

/** A colon separates the issuer from the account. */
const toLabel = (text: string): string => encodeURIComponent(text.replaceAll(':', ' '))

/** @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function describeKey(secret: Uint8Array, { issuer, account }: KeyOwner): AuthenticatorKey {
  const key = toBase32(secret)
  const query = `secret=${key}&issuer=${toLabel(issuer)}&algorithm=SHA1&digits=${digits}&period=${period}`
  return {
    text: key.replaceAll(/.{4}(?=.)/g, '$& '),
    url: `otpauth://totp/${toLabel(issuer)}:${toLabel(account)}?${query}`
  }
}
