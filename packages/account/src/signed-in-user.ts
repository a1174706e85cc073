import {
  type ActionResult,
  type AdapterUser,
  type FeatureContext,
  type FeatureRequest,
  getText,
  type PendingSignIn,
  type Principal,
  redirect
} from '@postern/core/feature'
import { readMissingLevel } from './two-factors.ts'
import { findUndoGuard, type SignInTrust } from './undo-guard.ts'

/** Seconds since the user authenticated in which the account can be changed. */
const freshWithin = 600

/** The signed-in user, as the store has them. */
export interface SignedInUser {
  readonly user: AdapterUser
  /** Whether the user authenticated recently, and may change the account. */
  readonly isFresh: boolean
  /** Whether the user may add something to authenticate with: the address is verified, or there is none. */
  readonly mayAdd: boolean
}

interface NowDeps {
  readonly context: Pick<FeatureContext, 'now'>
}

/** Whether a time is recent enough for changes of the account. */
export const isRecent = (time: Date | null, { context }: NowDeps): boolean =>
  time !== null && context.now() - time.getTime() <= freshWithin * 1000

/** Whether the user authenticated recently, and may change the account. */
export const hasRecentSignIn = ({ authenticatedAt }: Pick<Principal, 'authenticatedAt'>, deps: NowDeps): boolean =>
  isRecent(authenticatedAt, deps)

/** @returns `null` if the user is not stored. */
export async function readUser(
  request: FeatureRequest,
  deps: { readonly context: Pick<FeatureContext, 'now' | 'users'> }
): Promise<SignedInUser | null> {
  const principal = await request.requireUser()
  const user = await deps.context.users.getUser(principal.userId)
  if (!user) return null
  // Someone else may have created a user with an unverified address: the owner would not know of what is added.
  const mayAdd = !user.email || Boolean(user.emailVerified)
  return { user, isFresh: hasRecentSignIn(principal, deps), mayAdd }
}

/** The signed-in user, who is about to change what they sign in with. */
export interface CredentialUser extends SignedInUser {
  /** Whether the user authenticated recently, at the highest level that the account has. */
  readonly isFresh: boolean
  /** The values of `amr` that the session lacks. */
  readonly missing: readonly string[]
}

/** @returns `null` if the user is not stored. @throws AuthError `StoreUnavailable` */
export async function readCredentialUser(
  request: FeatureRequest,
  deps: { readonly context: FeatureContext }
): Promise<CredentialUser | null> {
  const found = await readUser(request, deps)
  if (!found) return null
  const missing = await readMissingLevel(request, found.user.id, deps.context)
  return { ...found, isFresh: found.isFresh && missing.length === 0, missing }
}

/**
 * Compares the sign-in of a session with the changes of the address that can be undone, before the session adds a second factor. The
 * code for it goes to the mailbox that was left, which may be in the hands of a thief: one who has a session from before, too, must
 * not use it, nor add something first to sign in with.
 */
export const readSignInTrust = async (
  request: FeatureRequest,
  userId: string,
  { context }: { readonly context: FeatureContext }
): Promise<SignInTrust> => (await findUndoGuard(context)?.readSignInTrust(request, userId)) ?? 'trusted'

/** Whether a sign-in that is not complete may add a second factor while a change of the address can be undone. */
export const isKnownSignIn = async (
  signIn: PendingSignIn,
  { context }: { readonly context: FeatureContext }
): Promise<boolean> => (await findUndoGuard(context)?.isKnownSignIn(signIn)) ?? true

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
