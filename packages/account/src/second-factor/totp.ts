/** How an authenticator app computes codes. @see RFC 6238 §4 */
export interface TotpFormat {
  /** Digits of a code. */
  readonly digits: number
  /** Seconds for which a code is valid. */
  readonly period: number
}

/** What every authenticator app supports. */
export const defaultFormat: TotpFormat = { digits: 6, period: 30 }

/** A key, and how its codes are computed. */
export interface TotpSecret extends TotpFormat {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Steps by which the clock of the authenticator may differ. @see RFC 6238 §5.2 */
const tolerance = 1

/** The first digits of the scripts that keyboards for numbers have: Arabic, Persian and Devanagari. */
const zeros = [0x660, 0x6f0, 0x966]

/** @returns The step at a time in milliseconds since 1970. */
export function getStep(now: number, period: number = defaultFormat.period): number {
  return Math.floor(now / 1000 / period)
}

/** Creates the code of a step with HMAC-SHA-1. @see RFC 4226 §5.3 */
export async function createCode({ bytes, digits }: Omit<TotpSecret, 'period'>, step: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter))
  const offset = mac.getUint8(mac.byteLength - 1) & 15
  const value = (mac.getUint32(offset) & 0x7fffffff) % 10 ** digits
  return String(value).padStart(digits, '0')
}

/** Compares two codes of the same length in constant time. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}

/**
 * Finds the step of a code. Every step is compared, in constant time.
 *
 * @param now - Milliseconds since 1970.
 * @returns `null` if the code is of none of the accepted steps.
 */
export async function findStep(secret: TotpSecret, code: string, now: number): Promise<number | null> {
  const current = getStep(now, secret.period)
  let found: number | null = null
  for (let step = current - tolerance; step <= current + tolerance; step++)
    if (isSame(await createCode(secret, step), code)) found = step
  return found
}

function toAsciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  const zero = zeros.find((first) => point >= first && point <= first + 9)
  return zero === undefined ? digit : String(point - zero)
}

/** @returns The typed code of an app, which has six to eight digits, without spaces and dashes; `null` if it is none. */
export function parseCode(text: string): string | null {
  const code = text
    .slice(0, 64)
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, toAsciiDigit)
    .replaceAll(/[\s\p{Cf}\p{Pd}]/gu, '')
  return /^\d{6,8}$/.test(code) ? code : null
}
