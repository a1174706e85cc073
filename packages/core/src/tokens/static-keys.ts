import type { JWK } from 'jose'
import type { Jwk, WebKey } from '../model/provider.ts'
import { SignatureError } from './key-set.ts'
import { jose } from './load-jose.ts'

const byCurve: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' }

/** The algorithm of a key: its own `alg`, else the usual one of its type. */
function getAlgorithm({ alg, kty, crv = '' }: Jwk): string {
  return alg ?? (kty === 'OKP' ? 'Ed25519' : (byCurve[crv] ?? 'RS256'))
}

const plain = (key: Jwk): JWK => Object.fromEntries(Object.entries(key).filter(([, value]) => value !== undefined))

/** @returns A private key for WebCrypto, with its `kid` if the JSON Web Key has one. */
export async function importSigningKey(jwk: Jwk): Promise<{ readonly key: WebKey; readonly kid?: string }> {
  const { importJWK } = await jose()
  const key = await importJWK(plain(jwk), getAlgorithm(jwk))
  if (!(key instanceof CryptoKey)) throw new TypeError('expected an asymmetric private key')
  return { key, ...(jwk.kid === undefined ? {} : { kid: jwk.kid }) }
}

/** PEM does not name the algorithm of a key, so each is tried. */
const pemAlgorithms = ['RS256', 'ES256', 'ES384', 'ES512', 'Ed25519'] as const

/** @returns A private key from PEM (PKCS #8, RFC 5958). @throws TypeError */
export async function importPem(pem: string): Promise<WebKey> {
  const { importPKCS8 } = await import('jose')
  const text = pem.replaceAll('\\n', '\n').trim()
  for (const algorithm of pemAlgorithms) {
    const key = await importPKCS8(text, algorithm).catch(() => null)
    if (key) return key
  }
  throw new TypeError('expected the PEM text to be a private key of RSA, of a NIST curve or of Ed25519')
}

function refuse(cause: unknown): never {
  const detail = cause instanceof Error ? cause.message : String(cause)
  throw new SignatureError(`signature rejected: ${detail}`, { cause })
}

/** Verifies a compact JWS with static keys. @throws SignatureError if none of them signed it. */
export async function verifyWithKeys(jws: string, algorithms: readonly string[], keys: readonly Jwk[]): Promise<void> {
  const { compactVerify, createLocalJWKSet } = await jose()
  const allowed = { algorithms: [...algorithms] }
  const verifications = keys.map((key) => compactVerify(jws, createLocalJWKSet({ keys: [plain(key)] }), allowed))
  await Promise.any(verifications).catch((error: AggregateError) => refuse(error.errors[0]))
}

/** Verifies a compact JWS with a shared secret. @throws SignatureError */
export async function verifyWithSecret(jws: string, algorithm: string, secret: string): Promise<void> {
  const { compactVerify } = await jose()
  await compactVerify(jws, new TextEncoder().encode(secret), { algorithms: [algorithm] }).catch(refuse)
}
