import type { UserVersion } from '../adapter/user-version.ts'
import type { Config } from '../config/config.ts'
import { clearCookie, joinCookies, noCookies, setCookie } from '../cookies/set-cookies.ts'
import { chain, type MaybePromise, whenAll } from '../model/awaitable.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Identity } from '../model/identity.ts'
import type { RateRule } from '../model/rate-limiter.ts'
import type { User } from '../model/user.ts'
import { decryptList, type Expiring } from '../tokens/encrypted-list.ts'
import { sha256 } from '../tokens/hash.ts'
import { encryptText } from '../tokens/jwe.ts'
import { randomBase64Url } from '../tokens/random.ts'
import { getRateLimitAddress } from './rate-limit-identifier.ts'

/** A user who has signed in with this browser. */
export interface KnownDevice extends Expiring {
  /** Random: identifies the budget of this device and user. */
  readonly id: string
  readonly userId: string
  /** The time of the last sign-in, in milliseconds since 1970. */
  readonly since: number
  /** The version of the user at that sign-in: a later end of the user's sessions forgets the device. */
  readonly version: number
  /** The usernames in the forms that signed the user in, as {@link shorten} writes them. */
  readonly names: readonly string[]
  /** The accounts that these forms led to, written in the same way. */
  readonly accounts: readonly string[]
  /** The user's verified email address, written in the same way, or `null`. */
  readonly address: string | null
}

/** The budget that an attempt uses. */
export type Budget = 'callback' | 'credentials' | 'mail'

/** The users of one cookie; the newest ones stay, so that the cookie is not too long for a browser. */
const maxUsers = 3
const maxNames = 4
const maxAccounts = 2

/** The ids of markers in the store are no longer. */
const maxUserIdLength = 255

/** The devices of one user together have four times the budget of one, so that a copied cookie cannot exhaust it. */
const devicesFactor = 4

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item: unknown) => typeof item === 'string')

function isKnownDevice(entry: Expiring): entry is KnownDevice {
  const fields: Partial<Record<string, unknown>> = { ...entry }
  const { id, userId, since, version, names, accounts, address } = fields
  const areTexts = [id, userId, entry.app].every((field) => typeof field === 'string')
  const areNumbers = typeof since === 'number' && typeof version === 'number'
  const isOptional = address === null || typeof address === 'string'
  return areTexts && areNumbers && isTexts(names) && isTexts(accounts) && isOptional
}

/** Other texts are hashed, so that the cookie does not become too long: it has 21 of them. */
const shortText = /^[\x20-\x7e]{0,24}$/

/** A text as the cookie has it, which is encrypted; a hash never equals a text that is not hashed. */
function shorten(text: string): MaybePromise<string> {
  return shortText.test(text) ? `=${text}` : chain(sha256(text, 'base64url'), (hash) => `#${hash.slice(0, 16)}`)
}

const shortenAddress = (address: string): MaybePromise<string> => shorten(getRateLimitAddress(address))
const shortenAccount = ({ provider, providerAccountId }: Identity['account']): MaybePromise<string> =>
  shorten(JSON.stringify([provider, providerAccountId]))

/** The users of every application whose cookies this browser sends, the newest sign-in of each, the last one first. */
async function readAll(
  cookies: RequestCookies,
  { cookies: { device, newDevice }, keys, runtime }: Config
): Promise<readonly KnownDevice[]> {
  const read = (name: string): MaybePromise<readonly KnownDevice[]> =>
    decryptList(keys.device, cookies.get(name), isKnownDevice, runtime.now())
  const known = await read(device.name)
  if (!cookies.has(newDevice.name)) return known
  const all = [...(await read(newDevice.name)), ...known].sort((one, other) => other.since - one.since)
  const isSame = (one: KnownDevice, other: KnownDevice): boolean => one.app === other.app && one.userId === other.userId
  return all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index)
}

/** A device is only remembered if it can be forgotten: a store without the rows of users cannot tell. */
export const canRemember = ({ limits, store }: Config): boolean =>
  limits !== null && (store === null || store.versions !== null)

/** Milliseconds after which the cookie is written again. */
const freshness = 24 * 60 * 60 * 1000

/** Whether the cookie of today already says what the sign-in would write. */
function isRecent(before: KnownDevice, { since, version, names, accounts, address }: KnownDevice): boolean {
  const isToday = since - before.since >= 0 && since - before.since < freshness
  const hasAll = (known: readonly string[], all: readonly string[]): boolean => all.every((one) => known.includes(one))
  const isSame = before.version === version && before.address === address
  return isToday && isSame && hasAll(before.names, names) && hasAll(before.accounts, accounts)
}

/** A completed sign-in, whose device is remembered. */
interface CompletedSignIn {
  readonly identity: Identity
  readonly names: readonly string[]
  readonly isHidden: boolean
  /** That of the session; `null` if no user is stored. */
  readonly userVersion: number | null
}

/** What identifies the user of a sign-in. An account is one of a form. */
function describeSignIn(
  { email, emailVerified }: User,
  { identity, names }: CompletedSignIn
): MaybePromise<Pick<KnownDevice, 'names' | 'accounts' | 'address'>> {
  const accounts = names.length > 0 ? [shortenAccount(identity.account)] : []
  const addresses = email && emailVerified ? [shortenAddress(email)] : []
  return chain(
    whenAll([names.map(shorten), accounts, addresses].map(whenAll)),
    ([newNames = [], newAccounts = [], [address = null] = []]) => ({ names: newNames, accounts: newAccounts, address })
  )
}

/**
 * Remembers that a user has signed in with this browser. Call it only for a completed sign-in.
 *
 * @param names - The usernames that the form was rate-limited by.
 * @param isHidden - Whether the browser does not send the cookie to this page, which may name other users: they stay in
 * it, and this user has a cookie of their own, which the next sign-in merges.
 * @param userVersion - The version of the session.
 * @returns The cookie to set; none if there are no limits.
 */
export function rememberDevice(
  user: User,
  signIn: CompletedSignIn,
  cookies: RequestCookies,
  config: Config
): MaybePromise<SetCookies> {
  if (!canRemember(config) || user.id.length > maxUserIdLength) return noCookies
  const all = hasDevices(cookies, config) ? readAll(cookies, config) : []
  return chain(all, (known) =>
    chain(describeSignIn(user, signIn), (about) => {
      const device = toDevice({ ...about, userId: user.id, version: signIn.userVersion ?? 0 }, known, config)
      return addDevice(device, known, { isHidden: signIn.isHidden, cookies }, config)
    })
  )
}

/** The user of this application among those of the cookie. */
const isOf =
  (userId: string, { application }: Config) =>
  (known: KnownDevice): boolean =>
    known.app === application.id && known.userId === userId

/** A device of today, with what the cookie knows of the user. */
function toDevice(
  about: Pick<KnownDevice, 'userId' | 'version' | 'names' | 'accounts' | 'address'>,
  all: readonly KnownDevice[],
  config: Config
): KnownDevice {
  const { application, constants, runtime } = config
  const { userId, version, names, accounts, address } = about
  const before = all.find(isOf(userId, config))
  return {
    app: application.id,
    id: before?.id ?? randomBase64Url(runtime.randomBytes, 12),
    userId,
    since: runtime.now(),
    version,
    names: [...new Set([...names, ...(before?.names ?? [])])].slice(0, maxNames),
    accounts: [...new Set([...accounts, ...(before?.accounts ?? [])])].slice(0, maxAccounts),
    address,
    ends: Math.floor(runtime.now() / 1000) + constants.deviceMaxAge
  }
}

/** @returns The cookie with a device; none if it already says so. */
function addDevice(
  device: KnownDevice,
  all: readonly KnownDevice[],
  { isHidden, cookies }: { readonly isHidden: boolean; readonly cookies: RequestCookies },
  config: Config
): MaybePromise<SetCookies> {
  const { device: settled, newDevice } = config.cookies
  const isThis = isOf(device.userId, config)
  const before = all.find(isThis)
  const merged = !isHidden && cookies.has(newDevice.name)
  if (!isHidden && !merged && before && before === all[0] && isRecent(before, device)) return noCookies
  const devices = [device, ...all.filter((known) => !isThis(known))].slice(0, maxUsers)
  const cleared = merged ? clearCookie(newDevice.name, newDevice.options) : noCookies
  const written = writeDevices(devices, isHidden ? newDevice : settled, config)
  return chain(written, (set) => joinCookies(set, cleared))
}

/** @returns The cookie of the users. */
function writeDevices(
  devices: readonly KnownDevice[],
  { name, options }: CookieSetting,
  { keys }: Config
): MaybePromise<SetCookies> {
  const latest = Math.max(...devices.map(({ ends }) => ends))
  return chain(encryptText(keys.device, JSON.stringify(devices)), (value) =>
    setCookie(name, value, options, new Date(latest * 1000))
  )
}

const hasDevices = (cookies: RequestCookies, { cookies: { device, newDevice } }: Config): boolean =>
  cookies.has(device.name) || cookies.has(newDevice.name)

async function find(
  isMeant: (known: KnownDevice) => boolean,
  cookies: RequestCookies,
  config: Config
): Promise<KnownDevice | null> {
  if (!canRemember(config) || !hasDevices(cookies, config)) return null
  const own = (await readAll(cookies, config)).filter(({ app }) => app === config.application.id)
  return own.find(isMeant) ?? null
}

/** Finds the user who signed in last with this browser. */
export async function findNewestDevice(cookies: RequestCookies, config: Config): Promise<KnownDevice | null> {
  return find(() => true, cookies, config)
}

/** Finds the user of this browser who has signed in with one of these usernames. */
export async function findDeviceByName(
  names: readonly string[],
  cookies: RequestCookies,
  config: Config
): Promise<KnownDevice | null> {
  if (names.length === 0) return null
  const wanted = await Promise.all(names.map(shorten))
  return find((known) => wanted.some((name) => known.names.includes(name)), cookies, config)
}

/** Finds the user of this browser with this verified email address. */
export async function findDeviceByAddress(
  address: string,
  cookies: RequestCookies,
  config: Config
): Promise<KnownDevice | null> {
  const wanted = await shortenAddress(address)
  return find((known) => known.address === wanted, cookies, config)
}

/**
 * Whether the attempts of a device may sign in to an account. A device has a budget for its own user: its cookie must
 * not be a budget for guessing at others.
 */
export async function isAccountOf(device: KnownDevice, { account }: Identity): Promise<boolean> {
  return device.accounts.includes(await shortenAccount(account))
}

/** Whether the sessions of the user have ended since. */
async function isForgotten(
  { userId, version }: KnownDevice,
  { store }: Config,
  row: UserVersion | null = null
): Promise<boolean> {
  if (!store?.versions) return false
  if (row) return row.sessionsFrom > version
  return store.versions.get(userId).then(
    ({ sessionsFrom }) => sessionsFrom > version,
    () => true
  )
}

/**
 * Remembers this browser after its user has ended their other sessions, or changed what they sign in with: their own session stays.
 *
 * @param version - That of the session's new token.
 * @returns The cookie to set; none if the user is not known in this browser.
 */
export async function renewDevice(
  { userId, version }: { readonly userId: string; readonly version: number },
  cookies: RequestCookies,
  config: Config
): Promise<SetCookies> {
  const { device, newDevice } = config.cookies
  if (!canRemember(config) || !hasDevices(cookies, config)) return noCookies
  const all = await readAll(cookies, config)
  const isThis = isOf(userId, config)
  if (!all.some(isThis)) return noCookies
  const devices = all.map((known) => (isThis(known) ? { ...known, version } : known))
  return writeDevices(devices, cookies.has(device.name) ? device : newDevice, config)
}

/**
 * Finds this browser as a device of a user.
 *
 * @param row - That of the user, if it was read; `null` reads it.
 * @returns Its id; `null` if it is none, or was forgotten.
 */
export async function findDeviceByUser(
  userId: string,
  cookies: RequestCookies,
  config: Config,
  row: UserVersion | null = null
): Promise<string | null> {
  const device = await find((known) => known.userId === userId, cookies, config)
  return device && !(await isForgotten(device, config, row)) ? device.id : null
}

/** A consumed point of a budget. */
export type BudgetPoints = readonly (readonly [key: string, rule: RateRule])[]

/**
 * Consumes one point of the budget of a device. The store is read afterwards, so that a copied cookie causes few reads.
 *
 * @returns What was consumed; `null` if nothing is left, or if the device was forgotten.
 */
export async function consumeBudget(
  budget: Budget,
  device: KnownDevice,
  rule: RateRule,
  config: Config
): Promise<BudgetPoints | null> {
  const { points, seconds } = rule
  const counters: BudgetPoints = [
    [`${budget} by device ${device.id} of ${device.userId}`, rule],
    [`${budget} by devices of ${device.userId}`, { points: points * devicesFactor, seconds }]
  ]
  for (const [key, rule] of counters) if (((await config.limits?.limiter.consume(key, rule)) ?? 0) > 0) return null
  return (await isForgotten(device, config)) ? null : counters
}
