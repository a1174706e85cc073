import { randomUUID } from 'node:crypto'
import { readCookie, writeCookie } from './cookies.ts'
import { decrypt, deriveKey, encrypt } from './encrypt.ts'
import { type Fields, parseFields, readNumber, readOptionalText } from './fields.ts'
import { cookieName, type FoundSession, isRenewalDue, maxAge, type Person, type Sessions } from './sessions.ts'

const key = deriveKey('NextAuth.js Generated Encryption Key')
/** Sessions whose claims stay decrypted in memory. */
const maxOpened = 10_000

interface Opened extends Pick<FoundSession, 'user' | 'expires'> {
  readonly claims: Fields
}

/** Decryption is most of what a session costs. */
const opened = new Map<string, Opened>()

function write(claims: Fields): string {
  const iat = Math.floor(Date.now() / 1000)
  const token = encrypt(key, JSON.stringify({ ...claims, iat, exp: iat + maxAge, jti: randomUUID() }))
  return writeCookie(cookieName, token, maxAge)
}

function open(token: string): Opened | null {
  const known = opened.get(token)
  if (known) return known
  const text = decrypt(key, token)
  if (text === null) return null
  const claims = parseFields(text)
  if (claims['session_app'] !== '/api/auth') return null
  const [name, email, image] = ['name', 'email', 'picture'].map((claim) => readOptionalText(claims, claim))
  const user = { name: name ?? null, email: email ?? null, image: image ?? null }
  const session: Opened = { user, expires: readNumber(claims, 'exp') * 1000, claims }
  const [oldest] = opened.keys()
  if (opened.size >= maxOpened && oldest !== undefined) opened.delete(oldest)
  opened.set(token, session)
  return session
}

/** The session cookie of somebody who signed in by the form. */
export function createJwtSession({ id, name, email, image }: Person): string {
  const start = Math.floor(Date.now() / 1000)
  return write({
    name,
    email,
    picture: image,
    sub: id,
    auth_time: start,
    session_auth: { amr: ['pwd'], provider: 'people', start },
    session_app: '/api/auth'
  })
}

/** Sessions in encrypted cookies. */
export const jwtSessions: Sessions = {
  read: (cookies) => {
    const token = readCookie(cookies, cookieName)
    const session = token === null ? null : open(token)
    const now = Date.now()
    if (!session || session.expires <= now) return null
    const { user, expires, claims } = session
    return { user, expires, renew: () => (isRenewalDue(expires, now) ? write(claims) : null) }
  }
}
