import type {
  Factor,
  FeatureBrowser,
  FeatureCookie,
  FeatureRequest,
  PendingSignIn,
  SetCookies
} from '@postern/core/feature'
import { parseStoredPassword } from '../password/stored-password.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import { parseRecoveryCodes, recoveryCodesType } from './stored-recovery-codes.ts'
import { parseTotp, totpType } from './stored-totp.ts'
import { loadFactors, type UserFactors } from './user-factors.ts'

/** A user who has chosen not to be asked in this browser. */
interface TrustedUser {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly since: number
  readonly ends: number
  /** The version of the user. */
  readonly version: number
  /** A keyed hash of what the user authenticated with. */
  readonly factors: string
}

/** The users of one cookie; the newest ones stay, so that the cookie is not too long for a browser. */
const maxUsers = 3

const getCookie = ({ context, trustDeviceFor: maxAge }: SecondFactorSetup): FeatureCookie =>
  context.cookie('device', { maxAge, hasHostPrefix: true })

const getKey = ({ context }: SecondFactorSetup) => context.key('trusted device')

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

async function readUsers(browser: FeatureBrowser, setup: SecondFactorSetup): Promise<readonly TrustedUser[]> {
  const text = await getCookie(setup).read(browser)
  const users: readonly TrustedUser[] = text === null ? [] : JSON.parse(text)
  const { context, trustDeviceFor } = setup
  // A shorter time in the options applies to earlier cookies too.
  return users.filter(({ since, ends }) => Math.min(ends, since + trustDeviceFor * 1000) > context.now())
}

/** Finds what this browser keeps about a user; `null` if anything has ended it. */
async function findTrusted(
  userId: string,
  factors: UserFactors,
  browser: FeatureBrowser,
  setup: SecondFactorSetup
): Promise<TrustedUser | null> {
  if (setup.trustDeviceFor === 0) return null
  const trusted = (await readUsers(browser, setup)).find((known) => known.userId === userId)
  if (!trusted || !(await getKey(setup).verify(describe(userId, factors), trusted.factors))) return null
  const { sessionsFrom } = await setup.context.readVersion(userId)
  return sessionsFrom <= trusted.version ? trusted : null
}

/**
 * Whether the user is not asked in this browser. Any change of a factor or of the password ends that, and so does ending the
 * sessions of the user. A guard always asks, and so does a link: an account of someone else could be linked in this browser.
 */
export async function isTrusted(
  { user, isStepUp }: PendingSignIn,
  factors: UserFactors,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<boolean> {
  return !isStepUp && (await findTrusted(user.id, factors, request, setup)) !== null
}

/** Writes that this browser is trusted, as the user is now. */
async function writeTrust(
  { userId, since, ends, version }: Omit<TrustedUser, 'factors'>,
  browser: FeatureBrowser,
  setup: SecondFactorSetup
): Promise<SetCookies> {
  const factors = await getKey(setup).hash(describe(userId, await loadFactors(userId, setup)))
  const others = (await readUsers(browser, setup)).filter((known) => known.userId !== userId)
  const own: TrustedUser = { userId, since, ends, version, factors }
  return getCookie(setup).create(JSON.stringify([own, ...others].slice(0, maxUsers)), browser)
}

/** Trusts this browser from now on, at the version that the sign-in began with. @returns The cookie to set. */
export async function trustDevice(
  { user: { id: userId }, userVersion }: Pick<PendingSignIn, 'user' | 'userVersion'>,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<SetCookies> {
  const { context, trustDeviceFor } = setup
  if (trustDeviceFor === 0) return new Map()
  const since = context.now()
  return writeTrust({ userId, since, ends: since + trustDeviceFor * 1000, version: userVersion ?? 0 }, request, setup)
}

/** The browser that changes something stays trusted for as long as it was. @returns Creates the cookie after the change. */
export async function keepTrust(
  userId: string,
  browser: FeatureBrowser,
  setup: SecondFactorSetup
): Promise<((version: number) => Promise<SetCookies>) | null> {
  if (!(await readUsers(browser, setup)).some((known) => known.userId === userId)) return null
  const trusted = await findTrusted(userId, await loadFactors(userId, setup), browser, setup)
  return trusted && ((version) => writeTrust({ ...trusted, version }, browser, setup))
}
