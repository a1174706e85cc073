import {
  type ActionResult,
  type AdapterUser,
  type FeatureContext,
  type FeatureRequest,
  getText,
  type Principal,
  redirect
} from '@postern/core/feature'
import { AccountPart } from './account-parts.ts'
import { hasTwoFactors, readMissingLevel } from './two-factors.ts'

/** Seconds since the user authenticated in which the account can be changed. */
const freshWithin = 600

/** The signed-in user, as the store has them. */
export interface SignedInUser {
  readonly user: AdapterUser
  /** Whether the user authenticated recently, at the level that is needed, and may change the account. */
  readonly isFresh: boolean
  /** The values of `amr` that the session lacks for it. */
  readonly missing: readonly string[]
  /** Whether the user may add something to authenticate with: the address is verified, or there is none. */
  readonly mayAdd: boolean
}

/** Whether a time is recent enough for changes of the account. */
export const isRecent = (time: Date | null, context: FeatureContext): boolean =>
  time !== null && context.now() - time.getTime() <= freshWithin * 1000

/** Whether the user authenticated recently, and may change the account. */
export const hasRecentSignIn = (
  { authenticatedAt }: Pick<Principal, 'authenticatedAt'>,
  context: FeatureContext
): boolean => isRecent(authenticatedAt, context)

/** Someone else may have created a user with an unverified address: the owner would not know of what is added. */
export const mayAddFactor = ({ email, emailVerified }: Pick<AdapterUser, 'email' | 'emailVerified'>): boolean =>
  !email || Boolean(emailVerified)

/** Reads the user, who needs no level. @returns `null` if the user is not stored. */
export async function readUser(
  request: FeatureRequest,
  setup: { readonly context: FeatureContext }
): Promise<SignedInUser | null> {
  const principal = await request.requireUser()
  const user = await setup.context.users.getUser(principal.userId)
  if (!user) return null
  return { user, isFresh: hasRecentSignIn(principal, setup.context), missing: [], mayAdd: mayAddFactor(user) }
}

/**
 * Reads the user, who is about to change what they sign in with: it needs the highest level that the account has.
 *
 * @returns `null` if the user is not stored. @throws AuthError `StoreUnavailable`
 */
export async function readCredentialUser(
  request: FeatureRequest,
  setup: { readonly context: FeatureContext }
): Promise<SignedInUser | null> {
  const found = await readUser(request, setup)
  if (!found) return null
  const missing = await readMissingLevel(request, found.user.id, setup.context)
  return { ...found, isFresh: found.isFresh && missing.length === 0, missing }
}

/** What a second factor is given for: a change of a user that waits since a time, in milliseconds since 1970. */
interface FactorPurpose {
  readonly userId: string
  readonly since: number
}

/**
 * Whether the session was authenticated with two factors after a change was asked for: then the user has given them for this change,
 * and a stolen session, however recent, is not enough. Without `secondFactor()`, the second one may be of anybody with the first.
 */
export async function hasGivenFactor(
  request: FeatureRequest,
  { userId, since }: FactorPurpose,
  context: FeatureContext
): Promise<boolean> {
  if (AccountPart.findAll(context).factors === null) return false
  const principal = await request.requireUser()
  const authentication = await request.getAuthentication()
  const { authenticatedAt } = principal
  if (principal.userId !== userId || !authentication?.amr.includes('mfa') || authenticatedAt === null) return false
  return authenticatedAt.getTime() > since && isRecent(authenticatedAt, context)
}

/** Where the user gives the second factor for a change, and where the session that has given it makes the change. */
interface FactorWay {
  readonly factorUrl: string | null
  readonly approveAction: string | null
}

/** @param purpose.path - The page that shows the change. */
export async function readFactorWay(
  request: FeatureRequest,
  { path, ...purpose }: FactorPurpose & { readonly path: string },
  context: FeatureContext
): Promise<FactorWay> {
  const { origin, basePath } = request
  if (await hasGivenFactor(request, purpose, context))
    return { factorUrl: null, approveAction: `${basePath}${path}/approve` }
  const canGive = hasTwoFactors(await context.factors.list(purpose.userId), AccountPart.findAll(context))
  const url = getVerifyUrl(request, `${origin}${basePath}${path}`, { maxAge: 0, amr: ['mfa'] })
  return { factorUrl: canGive ? url : null, approveAction: null }
}

/** How the user has to authenticate. */
export interface RequiredAuthentication {
  /** Seconds. @defaultValue 10 minutes */
  readonly maxAge?: number
  readonly amr?: readonly string[]
}

/** The page on which the user authenticates again, before going back to a page of the feature. */
export function getVerifyUrl(
  { origin, basePath }: FeatureRequest,
  callbackUrl: string,
  { maxAge = freshWithin, amr = [] }: RequiredAuthentication = {}
): string {
  const required = amr.length === 0 ? {} : { amr: amr.join(' ') }
  const query = new URLSearchParams({ callbackUrl, max_age: String(maxAge), ...required })
  return `${origin}${basePath}/verify?${query}`
}

/** Sends the user to authenticate again. A client that asks for JSON gets 401 with the URL. */
export async function askToAuthenticate(
  request: FeatureRequest,
  path: string,
  required?: RequiredAuthentication
): Promise<ActionResult> {
  const own = `${request.origin}${request.basePath}${path}`
  const callbackUrl = getText(request.body, 'callbackUrl') === null ? own : await request.callbackUrl()
  return redirect(getVerifyUrl(request, callbackUrl, required), new Map(), 401)
}
