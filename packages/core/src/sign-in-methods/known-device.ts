import { wasMarkedSince } from '../adapter/claim-marker.ts'
import type { Config } from '../config/config.ts'
import { clearCookie, joinCookies, noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Identity } from '../model/identity.ts'
import type { RateRule } from '../model/rate-limiter.ts'
import type { User } from '../model/user.ts'
import { decryptList, type Expiring } from '../tokens/encrypted-list.ts'
import { sha256 } from '../tokens/hash.ts'
import { encryptText } from '../tokens/jwe.ts'
import { randomBase64Url } from '../tokens/random.ts'
import { getRateLimitAddress } from './rate-limit-identifier.ts'

/** What the cookie of known devices depends on. */
export type KnownDeviceDeps = Pick<
  Config,
  'application' | 'constants' | 'cookies' | 'keys' | 'limits' | 'runtime' | 'store'
>

/** A user who has signed in with this browser. */
export interface KnownDevice extends Expiring {
  /** Random: identifies the budget of this device and user. */
  readonly id: string
  readonly userId: string
  /** The time of the last sign-in, in milliseconds since 1970. */
  readonly since: number
  /** Names the ends of the user's sessions before it; `null` if they were not read. */
  readonly mark: string | null
  /** Hashes of the usernames in the forms that signed the user in. */
  readonly names: readonly string[]
  /** Hashes of the accounts that these forms led to. */
  readonly accounts: readonly string[]
  /** The hash of the user's verified email address, or `null`. */
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

/** The maximum difference between the clocks of two processes, in milliseconds. */
const clockSkew = 30_000

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item: unknown) => typeof item === 'string')

function isKnownDevice(entry: Expiring): entry is KnownDevice {
  const fields: Partial<Record<string, unknown>> = { ...entry }
  const { id, userId, since, mark, names, accounts, address } = fields
  const areTexts = [id, userId, entry.app].every((field) => typeof field === 'string')
  const areOptional = [mark, address].every((field) => field === null || typeof field === 'string')
  return areTexts && typeof since === 'number' && isTexts(names) && isTexts(accounts) && areOptional
}

/** Short: the cookie is encrypted, so this only has to distinguish the values of one browser. */
const digest = async (...texts: readonly string[]): Promise<string> =>
  (await sha256(JSON.stringify(texts), 'base64url')).slice(0, 16)

const digestName = (name: string): Promise<string> => digest('name', name)
const digestAddress = (address: string): Promise<string> => digest('address', getRateLimitAddress(address))
const digestAccount = ({ provider, providerAccountId }: Identity['account']): Promise<string> =>
  digest('account', provider, providerAccountId)

/** The users of every application whose cookies this browser sends, the newest sign-in of each, the last one first. */
async function readAll(
  cookies: RequestCookies,
  { cookies: { device, newDevice }, keys, runtime }: Pick<KnownDeviceDeps, 'cookies' | 'keys' | 'runtime'>
): Promise<readonly KnownDevice[]> {
  const read = (name: string): Promise<readonly KnownDevice[]> =>
    decryptList(keys.device, cookies.get(name), isKnownDevice, runtime.now())
  const known = await read(device.name)
  if (!cookies.has(newDevice.name)) return known
  const all = [...(await read(newDevice.name)), ...known].sort((one, other) => other.since - one.since)
  const isSame = (one: KnownDevice, other: KnownDevice): boolean => one.app === other.app && one.userId === other.userId
  return all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index)
}

/** A device is only remembered if it can be forgotten: a store without tickets cannot record that. */
export const canRemember = ({ limits, store }: Pick<KnownDeviceDeps, 'limits' | 'store'>): boolean =>
  limits !== null && (store === null || store.tickets !== null)

/** A completed sign-in, whose device is remembered. */
interface CompletedSignIn {
  readonly identity: Identity
  readonly names: readonly string[]
  readonly isHidden: boolean
  readonly sessionsMark: string | null
}

/**
 * Remembers that a user has signed in with this browser. Call it only for a completed sign-in.
 *
 * @param names - The usernames that the form was rate-limited by.
 * @param isHidden - Whether the browser does not send the cookie to this page, which may name other users: they stay in
 * it, and this user has a cookie of their own, which the next sign-in merges.
 * @param sessionsMark - What the sign-in has read of the ends of the user's sessions; `null` if it has not.
 * @returns The cookie to set; none if there are no limits.
 */
export async function rememberDevice(
  { id: userId, email, emailVerified }: User,
  { identity, names, isHidden, sessionsMark }: CompletedSignIn,
  cookies: RequestCookies,
  deps: KnownDeviceDeps
): Promise<SetCookies> {
  if (!canRemember(deps) || userId.length > maxUserIdLength) return noCookies
  const { application, constants, runtime, keys } = deps
  const { device: settled, newDevice } = deps.cookies
  const { name, options } = isHidden ? newDevice : settled
  const all = await readAll(cookies, deps)
  const isThis = (known: KnownDevice): boolean => known.app === application.id && known.userId === userId
  const before = all.find(isThis)
  const isForm = names.length > 0
  const newNames = await Promise.all(names.map(digestName))
  const newAccounts = isForm ? [await digestAccount(identity.account)] : []
  const ends = Math.floor(runtime.now() / 1000) + constants.deviceMaxAge
  const device: KnownDevice = {
    app: application.id,
    id: before?.id ?? randomBase64Url(runtime.randomBytes, 12),
    userId,
    since: runtime.now(),
    mark: sessionsMark,
    names: [...new Set([...newNames, ...(before?.names ?? [])])].slice(0, maxNames),
    accounts: [...new Set([...newAccounts, ...(before?.accounts ?? [])])].slice(0, maxAccounts),
    address: email && emailVerified ? await digestAddress(email) : null,
    ends
  }
  const devices = [device, ...all.filter((known) => !isThis(known))].slice(0, maxUsers)
  const value = await encryptText(keys.device, JSON.stringify(devices))
  const latest = Math.max(...devices.map(({ ends }) => ends))
  const merged = !isHidden && cookies.has(newDevice.name)
  return joinCookies(
    setCookie(name, value, options, new Date(latest * 1000)),
    merged ? clearCookie(newDevice.name, newDevice.options) : noCookies
  )
}

const hasDevices = (
  cookies: RequestCookies,
  { cookies: { device, newDevice } }: Pick<KnownDeviceDeps, 'cookies'>
): boolean => cookies.has(device.name) || cookies.has(newDevice.name)

async function find(
  isMeant: (known: KnownDevice) => boolean,
  cookies: RequestCookies,
  deps: KnownDeviceDeps
): Promise<KnownDevice | null> {
  if (!canRemember(deps) || !hasDevices(cookies, deps)) return null
  const own = (await readAll(cookies, deps)).filter(({ app }) => app === deps.application.id)
  return own.find(isMeant) ?? null
}

/** Finds the user who signed in last with this browser. */
export async function findNewestDevice(cookies: RequestCookies, deps: KnownDeviceDeps): Promise<KnownDevice | null> {
  return find(() => true, cookies, deps)
}

/** Finds the user of this browser who has signed in with one of these usernames. */
export async function findDeviceByName(
  names: readonly string[],
  cookies: RequestCookies,
  deps: KnownDeviceDeps
): Promise<KnownDevice | null> {
  if (names.length === 0) return null
  const wanted = await Promise.all(names.map(digestName))
  return find((known) => wanted.some((name) => known.names.includes(name)), cookies, deps)
}

/** Finds the user of this browser with this verified email address. */
export async function findDeviceByAddress(
  address: string,
  cookies: RequestCookies,
  deps: KnownDeviceDeps
): Promise<KnownDevice | null> {
  const wanted = await digestAddress(address)
  return find((known) => known.address === wanted, cookies, deps)
}

/**
 * Whether the attempts of a device may sign in to an account. A device has a budget for its own user: its cookie must
 * not be a budget for guessing at others.
 */
export async function isAccountOf(device: KnownDevice, { account }: Identity): Promise<boolean> {
  return device.accounts.includes(await digestAccount(account))
}

/** Whether the user's devices were forgotten since: the user was claimed or deleted, or all sessions were revoked. */
async function isForgotten(
  { userId, since, mark }: KnownDevice,
  { store }: Pick<KnownDeviceDeps, 'store'>
): Promise<boolean> {
  if (!store?.tickets) return false
  return wasMarkedSince(userId, { since: since - clockSkew, mark }, store.tickets).catch(() => true)
}

/** Finds this browser as a device of a user. @returns Its id; `null` if it is none, or was forgotten. */
export async function findDeviceByUser(
  userId: string,
  cookies: RequestCookies,
  deps: KnownDeviceDeps
): Promise<string | null> {
  const device = await find((known) => known.userId === userId, cookies, deps)
  return device && !(await isForgotten(device, deps)) ? device.id : null
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
  deps: Pick<KnownDeviceDeps, 'limits' | 'store'>
): Promise<BudgetPoints | null> {
  const { points, seconds } = rule
  const counters: BudgetPoints = [
    [`${budget} by device ${device.id} of ${device.userId}`, rule],
    [`${budget} by devices of ${device.userId}`, { points: points * devicesFactor, seconds }]
  ]
  for (const [key, rule] of counters) if (((await deps.limits?.limiter.consume(key, rule)) ?? 0) > 0) return null
  return (await isForgotten(device, deps)) ? null : counters
}
