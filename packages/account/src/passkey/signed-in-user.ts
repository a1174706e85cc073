import { type ActionResult, type AdapterUser, type FeatureRequest, getText, redirect } from '@postern/core/feature'
import type { PasskeyDeps } from './passkey-deps.ts'
import type { Passkey } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** Seconds since the user authenticated in which passkeys can be changed. */
const freshWithin = 600

/** The passkeys of one user. */
const maxPasskeys = 50

/** The signed-in user, who may change passkeys. */
export interface PasskeyUser {
  readonly user: AdapterUser
  readonly isFresh: boolean
  /** Whether the user may add a passkey. */
  readonly mayAdd: boolean
}

/** @returns `null` if the user is not stored. */
export async function readUser(
  request: FeatureRequest,
  { context }: Pick<PasskeyDeps, 'context'>
): Promise<PasskeyUser | null> {
  const { userId, authenticatedAt } = await request.requireUser()
  const user = await context.users.getUser(userId)
  if (!user) return null
  const isFresh = authenticatedAt !== null && context.now() - authenticatedAt.getTime() <= freshWithin * 1000
  // Someone else may have created a user with an unverified address: the owner would not know of the passkey.
  return { user, isFresh, mayAdd: !user.email || Boolean(user.emailVerified) }
}

/** The page on which the user authenticates again, before going back to a page of the feature. */
export function getVerifyUrl(
  { origin, basePath }: FeatureRequest,
  callbackUrl: string,
  amr: readonly string[] = []
): string {
  const required = amr.length === 0 ? {} : { amr: amr.join(' ') }
  const query = new URLSearchParams({ callbackUrl, max_age: String(freshWithin), ...required })
  return `${origin}${basePath}/verify?${query}`
}

/** Sends the user to authenticate again. A client that asks for JSON gets 401 with the URL. */
export async function askToAuthenticate(
  request: FeatureRequest,
  path: string = '/passkeys',
  amr: readonly string[] = []
): Promise<ActionResult> {
  const own = `${request.origin}${request.basePath}${path}`
  const callbackUrl = getText(request.body, 'callbackUrl') === null ? own : await request.callbackUrl()
  return redirect(getVerifyUrl(request, callbackUrl, amr), new Map(), 401)
}

/** @returns Why the user cannot add a passkey, or `null`. */
export function findProblem({ mayAdd }: PasskeyUser, passkeys: readonly Passkey[]): TextKey | null {
  if (!mayAdd) return 'unverified'
  return passkeys.length >= maxPasskeys ? 'tooMany' : null
}
