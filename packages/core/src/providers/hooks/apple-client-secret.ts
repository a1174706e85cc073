import type { ProviderHooks } from '../../model/provider.ts'

/** The private key of an Apple developer account for Sign in with Apple. */
export interface AppleKey {
  readonly teamId: string
  readonly keyId: string
  /** The content of the `.p8` file. */
  readonly privateKey: string
}

const day = 24 * 60 * 60
const hour = 60 * 60
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

function base64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const encode = (value: object): string => base64Url(new TextEncoder().encode(JSON.stringify(value)))

async function sign({ teamId, keyId, privateKey }: AppleKey, clientId: string, now: number): Promise<string> {
  const pem = privateKey.replaceAll(/-----[^-]+-----|\s|\\n/g, '')
  const der = Uint8Array.from(atob(pem), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
  const claims = { iss: teamId, iat: now, exp: now + day, aud: 'https://appleid.apple.com', sub: clientId }
  const input = `${encode({ alg: 'ES256', kid: keyId })}.${encode(claims)}`
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(input))
  return `${input}.${base64Url(new Uint8Array(signature))}`
}

/** Apple's client secret is a JWT that the client signs; each is used for a day. */
export function appleClientSecret(key: AppleKey): NonNullable<ProviderHooks['clientSecret']> {
  let made: { readonly secret: Promise<string>; readonly until: number } | null = null
  return ({ clientId }, milliseconds) => {
    const now = Math.floor(milliseconds / 1000)
    if (!made || made.until <= now) made = { secret: sign(key, clientId, now), until: now + day - hour }
    return made.secret
  }
}
