import type { JsonWebKey, KeyObject } from 'node:crypto'

type Crypto = typeof import('node:crypto')

const crypto: Crypto | undefined = globalThis.process?.getBuiltinModule?.('node:crypto')

/** Bits of a modulus (RFC 7518 §3.3). */
const shortest = 2048
const base64url = /^[A-Za-z0-9_-]+$/
const ascii = /^[\x20-\x7e]*$/

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Only the usual form of a key; any other is left to jose. */
function isPlainKey(key: unknown): key is { readonly kid?: unknown; readonly n: string; readonly e: string } {
  if (!isRecord(key)) return false
  const { kty, n, e, alg, use } = key
  const isSigning = (alg === undefined || alg === 'RS256') && (use === undefined || use === 'sig')
  const isPublic = ['d', 'key_ops', 'ext', 'oth'].every((name) => key[name] === undefined)
  return kty === 'RSA' && isSigning && isPublic && e === 'AQAB' && typeof n === 'string' && base64url.test(n)
}

function isPlainHeader(header: unknown): header is { readonly kid: string } {
  if (!isRecord(header)) return false
  const { alg, kid, crit, b64 } = header
  return alg === 'RS256' && typeof kid === 'string' && crit === undefined && b64 === undefined
}

/** @returns The bytes of a part, or `null` where it is spelled in an unusual way. */
function bytesOf(part: string): Buffer | null {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : null
}

function kidOf(part: string): string | null {
  const text = bytesOf(part)?.toString('latin1') ?? ''
  if (!ascii.test(text)) return null
  try {
    const header: unknown = JSON.parse(text)
    return isPlainHeader(header) ? header.kid : null
  } catch {
    return null
  }
}

/**
 * The RSA keys of a key set that one `kid` each names, and Node's own check of the usual signature with them.
 *
 * It says yes to nothing that jose refuses; whatever it does not say yes to, jose is asked about. WebCrypto takes 41 µs
 * more for the same: it sends the work to the thread pool and back.
 */
export class Rs256Keys {
  readonly #given = new Map<string, JsonWebKey | null>()
  readonly #made = new Map<string, KeyObject | null>()

  /** @param keys - As they came. */
  constructor(keys: readonly unknown[]) {
    for (const key of keys) {
      const kid = isRecord(key) ? key['kid'] : undefined
      if (typeof kid !== 'string') continue
      const isOnly = !this.#given.has(kid) && isPlainKey(key)
      this.#given.set(kid, isOnly ? { kty: 'RSA', n: key.n, e: key.e } : null)
    }
  }

  /** @returns Whether the compact JWS has a signature by the key that it names, as RFC 7518 §3.3 says. */
  hasSigned(jws: string): boolean {
    const [header = '', payload = '', signature = '', ...more] = jws.split('.')
    if (!crypto || more.length > 0) return false
    const kid = kidOf(header)
    const key = kid === null ? null : this.#keyOf(crypto, kid)
    const bytes = bytesOf(signature)
    if (!key || !bytes || !bytesOf(payload)) return false
    return crypto.verify('sha256', Buffer.from(`${header}.${payload}`, 'latin1'), key, bytes)
  }

  #keyOf({ createPublicKey }: Crypto, kid: string): KeyObject | null {
    const known = this.#made.get(kid)
    if (known !== undefined) return known
    const given = this.#given.get(kid)
    if (!given) return null
    let made: KeyObject | null = null
    try {
      const key = createPublicKey({ key: given, format: 'jwk' })
      made = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= shortest ? key : null
    } catch {
      // A key that Node cannot read: jose says what is wrong with it.
    }
    this.#made.set(kid, made)
    return made
  }
}
