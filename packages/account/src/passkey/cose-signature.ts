import { verify } from 'node:crypto'
import type { WebAuthnHelpers } from './load-webauthn.ts'

/** A decoded COSE key. @see RFC 9052 §7 */
interface CoseKey {
  get(label: number): unknown
}

/** A public key in PEM (RFC 7468 §13), and the hash of its signatures; `null` if they hash themselves. */
interface PublicKey {
  readonly pem: string
  readonly digest: string | null
}

/** The kinds of keys with one curve: labels 1, 3 and -1, and how a SubjectPublicKeyInfo with a key of 32 or 64 bytes starts. */
const kinds: readonly {
  readonly isKind: (key: CoseKey) => boolean
  readonly start: Buffer
  readonly labels: readonly number[]
  readonly digest: string | null
}[] = [
  {
    // ES256: RFC 9053 §2.1 and §7.1.1; RFC 5480 §2.
    isKind: (key) => key.get(3) === -7 && key.get(1) === 2 && key.get(-1) === 1,
    start: Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex'),
    labels: [-2, -3],
    digest: 'sha256'
  },
  {
    // Ed25519: RFC 9053 §2.2 and §7.2; RFC 8410 §4.
    isKind: (key) => key.get(3) === -8 && key.get(1) === 1 && key.get(-1) === 6,
    start: Buffer.from('302a300506032b6570032100', 'hex'),
    labels: [-2],
    digest: null
  }
]

const isCoordinate = (value: unknown): value is Uint8Array => value instanceof Uint8Array && value.length === 32

/** @returns `null` for another kind of key */
function toPublicKey(key: CoseKey): PublicKey | null {
  const kind = kinds.find(({ isKind }) => isKind(key))
  if (!kind) return null
  const values = kind.labels.map((label) => key.get(label))
  if (!values.every(isCoordinate)) return null
  // As text: Node finds out with two errors that an object is no key, which takes longer than reading it.
  const base64 = Buffer.concat([kind.start, ...values]).toString('base64')
  return { pem: `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----\n`, digest: kind.digest }
}

/**
 * Verifies a signature. What is not right for Node is left to @simplewebauthn/server, whose calls of WebCrypto take several times as long:
 * keys of other kinds, such as RS256, and signatures that are no DER (Web Authentication Level 3 §6.5.5), as some authenticators write
 * them (go-webauthn/webauthn#408, w3c/webauthn#2314).
 *
 * @param publicKey - A COSE key, in base64url.
 * @throws Error if it is none, or no signature
 */
export async function verifySignature(
  publicKey: string,
  { signed, signature }: { readonly signed: Buffer; readonly signature: Buffer },
  helpers: WebAuthnHelpers
): Promise<boolean> {
  const credentialPublicKey = new Uint8Array(Buffer.from(publicKey, 'base64url'))
  const known = toPublicKey(helpers.decodeCredentialPublicKey(credentialPublicKey))
  if (known && verify(known.digest, signed, known.pem, signature)) return true
  const data = new Uint8Array(signed)
  return helpers.verifySignature({ signature: new Uint8Array(signature), data, credentialPublicKey })
}
