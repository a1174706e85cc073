import type { Factor, FeatureCookie, FeatureRequest, PendingSignIn, SetCookies } from '@postern/core/feature'
import { parseStoredPassword } from '../password/stored-password.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'
import { parseRecoveryCodes, recoveryCodesType } from './stored-recovery-codes.ts'
import { parseTotp, totpType } from './stored-totp.ts'
import { loadFactors, type UserFactors } from './user-factors.ts'

/** A user who has chosen not to be asked in this browser. */
interface TrustedUser {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly since: number
  readonly ends: number
  /** Names the ends of the user's sessions before. */
  readonly mark: string
  /** A keyed hash of what the user authenticated with. */
  readonly factors: string
}

/** The users of one cookie; the newest ones stay, so that the cookie is not too long for a browser. */
const maxUsers = 3

const getCookie = ({ context, trustDeviceFor: maxAge }: SecondFactorDeps): FeatureCookie =>
  context.cookie('device', { maxAge, hasHostPrefix: true })

const getKey = ({ context }: SecondFactorDeps) => context.key('trusted device')

/** What identifies a factor until it is replaced. Its use changes nothing: the row has another version then. */
function identify(factor: Factor): readonly (string | number)[] {
  const { type, id, createdAt, data } = factor
  const key = [type, id, createdAt.getTime()]
  if (type === totpType) return [...key, parseTotp(factor).secret]
  if (type === recoveryCodesType) return [...key, parseRecoveryCodes(factor).set]
  return type === 'password' ? [...key, parseStoredPassword(data).id] : key
}

/** The factors of a user, passwords included, as one text. */
function describe(userId: string, { all }: UserFactors): string {
  const factors = all.map((factor) => JSON.stringify(identify(factor))).toSorted()
  return JSON.stringify([userId, ...factors])
}

async function readUsers(request: FeatureRequest, deps: SecondFactorDeps): Promise<readonly TrustedUser[]> {
  const text = await getCookie(deps).read(request)
  const users: readonly TrustedUser[] = text === null ? [] : JSON.parse(text)
  const { context, trustDeviceFor } = deps
  // A shorter time in the options applies to earlier cookies too.
  return users.filter(({ since, ends }) => Math.min(ends, since + trustDeviceFor * 1000) > context.now())
}

/**
 * Whether the user is not asked in this browser. Any change of a factor or of the password ends that, and so does ending the
 * sessions of the user. A guard always asks, and so does a link: an account of someone else could be linked in this browser.
 */
export async function isTrusted(
  { user, isStepUp }: PendingSignIn,
  factors: UserFactors,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<boolean> {
  if (isStepUp || deps.trustDeviceFor === 0) return false
  const trusted = (await readUsers(request, deps)).find(({ userId }) => userId === user.id)
  if (!trusted || !(await getKey(deps).verify(describe(user.id, factors), trusted.factors))) return false
  return (await deps.context.readSessionsMark(user.id)) === trusted.mark
}

/** Trusts this browser from now on. @returns The cookie to set. */
export async function trustDevice(
  userId: string,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<SetCookies> {
  const { context, trustDeviceFor } = deps
  if (trustDeviceFor === 0) return new Map()
  const others = (await readUsers(request, deps)).filter((known) => known.userId !== userId)
  const factors = await getKey(deps).hash(describe(userId, await loadFactors(userId, deps)))
  const since = context.now()
  const mark = await context.readSessionsMark(userId)
  const own: TrustedUser = { userId, since, ends: since + trustDeviceFor * 1000, mark, factors }
  const users = [own, ...others]
  return getCookie(deps).create(JSON.stringify(users.slice(0, maxUsers)), request)
}
