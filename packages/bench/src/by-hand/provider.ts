import { createPublicKey, hash, type KeyObject, randomBytes } from 'node:crypto'
import { clientId, clientSecret } from '../subjects/subject.ts'
import { clearedCookie, readCookie, writeCookie } from './cookies.ts'
import { decrypt, deriveKey, encrypt } from './encrypt.ts'
import { type Fields, parseFields, readNumber, readOptionalText, readText } from './fields.ts'
import { isEqual } from './forms.ts'
import { requestJson } from './http-client.ts'
import { verifyIdToken } from './id-token.ts'

/** Who has signed in at the provider. */
export interface Identity {
  readonly subject: string
  readonly name: string | null
  readonly email: string
  readonly isEmailVerified: boolean
  readonly image: string | null
  readonly tokens: {
    readonly accessToken: string
    readonly idToken: string
    readonly tokenType: string
    readonly scope: string | null
    /** Seconds since 1970. */
    readonly expiresAt: number | null
  }
}

interface Metadata {
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly keysUrl: string
}

/** The OpenID Provider. */
export interface Provider {
  /** @returns Where the browser goes, and its cookie. */
  start(): Promise<{ readonly location: string; readonly cookie: string }>
  /** Completes a sign-in. @throws Error the response is not of this sign-in, or the provider's token is not valid. */
  complete(response: Fields, cookies: string | undefined): Promise<Identity>
}

const cookieName = 'next-auth.state'
/** Removes the cookie of a sign-in. */
export const clearedState: string = clearedCookie(cookieName)
/** Seconds. */
const maxAge = 15 * 60
/** Milliseconds for which keys are not loaded again. */
const coolDown = 60_000
const key = deriveKey('Postern key for state')

const random = (): string => randomBytes(32).toString('base64url')

/** The work is done once, and again after a failure. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null
  return () => {
    result ??= work().catch((error: unknown) => {
      result = null
      throw error
    })
    return result
  }
}

async function loadMetadata(issuer: string): Promise<Metadata> {
  const fields = await requestJson(`${issuer}/.well-known/openid-configuration`)
  if (fields['issuer'] !== issuer) throw new Error('the metadata is of another issuer')
  const [authorizationEndpoint, tokenEndpoint] = [
    readText(fields, 'authorization_endpoint'),
    readText(fields, 'token_endpoint')
  ]
  return { issuer, authorizationEndpoint, tokenEndpoint, keysUrl: readText(fields, 'jwks_uri') }
}

/** The keys of the provider by their id; loaded again if there is a new one. */
function createKeySet(getMetadata: () => Promise<Metadata>): (id: string) => Promise<KeyObject> {
  let keys = new Map<string, KeyObject>()
  let loadedAt = 0
  const load = async (): Promise<void> => {
    const { keys: list } = await requestJson((await getMetadata()).keysUrl)
    const found: readonly Fields[] = Array.isArray(list) ? list : []
    keys = new Map(found.map((jwk) => [readText(jwk, 'kid'), createPublicKey({ key: { ...jwk }, format: 'jwk' })]))
    loadedAt = Date.now()
  }
  return async (id) => {
    if (!keys.has(id) && Date.now() - loadedAt > coolDown) await load()
    const found = keys.get(id)
    if (found) return found
    throw new Error('the key of the ID Token is unknown')
  }
}

/** The sign-in that a browser has started. @throws Error there is none, or it is another. */
function readState(response: Fields, cookies: string | undefined, { issuer }: Metadata): Fields {
  const cookie = readCookie(cookies, cookieName)
  const text = cookie === null ? null : decrypt(key, cookie)
  if (text === null) throw new Error('the browser has not started a sign-in')
  const state = parseFields(text)
  const isOwn = isEqual(readText(response, 'state'), readText(state, 'state')) && response['iss'] === issuer
  if (!isOwn || readNumber(state, 'ends') * 1000 <= Date.now()) throw new Error('the response is of another sign-in')
  return state
}

function toIdentity(claims: Fields, tokens: Fields, now: number): Identity {
  const lifetime = tokens['expires_in']
  return {
    subject: readText(claims, 'sub'),
    name: readOptionalText(claims, 'name'),
    email: readText(claims, 'email'),
    isEmailVerified: claims['email_verified'] === true,
    image: readOptionalText(claims, 'picture'),
    tokens: {
      accessToken: readText(tokens, 'access_token'),
      idToken: readText(tokens, 'id_token'),
      tokenType: readText(tokens, 'token_type'),
      scope: readOptionalText(tokens, 'scope') ?? scope,
      expiresAt: typeof lifetime === 'number' ? now + lifetime : null
    }
  }
}

const scope = 'openid email profile'
const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

/** @param origin - Of the application. */
export function createProvider(issuer: string, origin: string): Provider {
  const redirectUri = `${origin}/api/auth/callback/demo`
  const getMetadata = once(() => loadMetadata(issuer))
  const findKey = createKeySet(getMetadata)
  const fixed = new URLSearchParams({
    client_id: clientId,
    scope,
    response_type: 'code',
    redirect_uri: redirectUri,
    code_challenge_method: 'S256'
  }).toString()
  return {
    start: async () => {
      const { authorizationEndpoint } = await getMetadata()
      const [state, nonce, verifier] = [random(), random(), random()]
      const challenge = hash('sha256', verifier, 'base64url')
      const ends = Math.floor(Date.now() / 1000) + maxAge
      // All of base64url is allowed in a URL.
      const own = `&state=${state}&nonce=${nonce}&code_challenge=${challenge}`
      return {
        location: `${authorizationEndpoint}?${fixed}${own}`,
        cookie: writeCookie(cookieName, encrypt(key, JSON.stringify({ state, nonce, verifier, ends })), maxAge)
      }
    },
    complete: async (response, cookies) => {
      const metadata = await getMetadata()
      const state = readState(response, cookies, metadata)
      const fields = new URLSearchParams({
        grant_type: 'authorization_code',
        code: readText(response, 'code'),
        redirect_uri: redirectUri,
        code_verifier: readText(state, 'verifier')
      })
      const tokens = await requestJson(metadata.tokenEndpoint, { authorization, fields })
      const now = Math.floor(Date.now() / 1000)
      const [nonce, accessToken] = [readText(state, 'nonce'), readText(tokens, 'access_token')]
      const claims = await verifyIdToken(readText(tokens, 'id_token'), findKey, {
        issuer,
        clientId,
        nonce,
        accessToken,
        now
      })
      return toIdentity(claims, tokens, now)
    }
  }
}
