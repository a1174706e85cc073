import { toBase32 } from './base32.ts'
import { defaultFormat } from './totp.ts'

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
  const { digits, period } = defaultFormat
  const query = `secret=${key}&issuer=${toLabel(issuer)}&algorithm=SHA1&digits=${digits}&period=${period}`
  return {
    text: key.replaceAll(/.{4}(?=.)/g, '$& '),
    url: `otpauth://totp/${toLabel(issuer)}:${toLabel(account)}?${query}`
  }
}
