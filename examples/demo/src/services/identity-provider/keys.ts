import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWKS } from 'oidc-provider'

const generate = promisify(generateKeyPair)

/** Generates signing keys, RS256 and ES256. They last as long as the process, like the provider's sessions. */
export async function createKeys(): Promise<JWKS> {
  const [rsa, ec] = await Promise.all([
    generate('rsa', { modulusLength: 2048 }),
    generate('ec', { namedCurve: 'P-256' })
  ])
  return {
    keys: [
      { ...rsa.privateKey.export({ format: 'jwk' }), kid: 'rs256', alg: 'RS256', use: 'sig' },
      { ...ec.privateKey.export({ format: 'jwk' }), kid: 'es256', alg: 'ES256', use: 'sig' }
    ]
  }
}
