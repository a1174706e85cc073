import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'

export type Algorithm = 'ES256' | 'RS256'

/** A signing key and its id. */
export interface SigningKey {
  readonly kid: string
  readonly alg: Algorithm
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const made = new Map<string, SigningKey>()

/** The key of that name, which is generated once per process: RSA keys are slow to generate. */
export function signingKey(alg: Algorithm, generation: number): SigningKey {
  const kid = `${alg.toLowerCase()}-${generation}`
  const cached = made.get(kid)
  if (cached) return cached
  const key = { kid, alg, ...generate(alg) }
  made.set(kid, key)
  return key
}

export function toKeySet({ kid, alg, publicKey }: SigningKey): JSONWebKeySet {
  const { kty = '', ...rest } = publicKey.export({ format: 'jwk' })
  return { keys: [{ ...toTexts(rest), kty, kid, alg, use: 'sig' }] }
}

function generate(alg: Algorithm): Pick<SigningKey, 'privateKey' | 'publicKey'> {
  return alg === 'ES256'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function toTexts(members: object): Record<string, string> {
  return Object.fromEntries(Object.entries(members).filter((entry) => typeof entry[1] === 'string'))
}
