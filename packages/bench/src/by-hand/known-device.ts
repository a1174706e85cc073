import { randomBytes } from 'node:crypto'
import { readCookie, writeCookie } from './cookies.ts'
import { decrypt, deriveKey, encrypt } from './encrypt.ts'

const cookieName = 'postern.device'
const key = deriveKey('Postern key for known device')
const maxAge = 180 * 24 * 60 * 60
/** Milliseconds: the cookie is written once a day. */
const freshness = 24 * 60 * 60 * 1000

/** Who has signed in with a browser, and by what: attempts with it have a budget of their own. */
export interface DeviceOwner {
  readonly userId: string
  readonly provider: string
  readonly accountId: string
  /** The name in the form; `null` without a form. */
  readonly name: string | null
  /** The verified email address. */
  readonly email: string | null
}

/** Whether the cookie names this user, and is not a day old. */
function isFresh(text: string, userId: string, now: number): boolean {
  const list: unknown = JSON.parse(text)
  const [device = null]: readonly unknown[] = Array.isArray(list) ? list : []
  if (typeof device !== 'object' || device === null || !('userId' in device) || !('since' in device)) return false
  return device.userId === userId && typeof device.since === 'number' && now - device.since < freshness
}

/** The cookie of a browser after a sign-in; none if it has one. */
export function rememberDevice(cookies: string | undefined, owner: DeviceOwner, now: number): readonly string[] {
  const { userId, provider, accountId, name, email } = owner
  const held = readCookie(cookies, cookieName)
  const known = held === null ? null : decrypt(key, held)
  if (known !== null && isFresh(known, userId, now)) return []
  const device = {
    app: '/api/auth',
    id: randomBytes(12).toString('base64url'),
    userId,
    since: now,
    mark: null,
    names: name === null ? [] : [`=${name}`],
    accounts: name === null ? [] : [`=${JSON.stringify([provider, accountId])}`],
    address: email === null ? null : `=${email}`,
    ends: Math.floor(now / 1000) + maxAge
  }
  return [writeCookie(cookieName, encrypt(key, JSON.stringify([device])), maxAge, '/api/auth')]
}
