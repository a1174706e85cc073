import {
  type ActionResult,
  type AdapterUser,
  AuthError,
  type Factor,
  type FeatureRequest,
  getText,
  redirect
} from '@postern/core/feature'
import { getAccountUrl, getVerifyAddressUrl } from '../account-url.ts'
import { askToAuthenticate, hasRecentSignIn } from '../signed-in-user.ts'
import { readMissingLevel } from '../two-factors.ts'
import { finishChange } from './changed-password.ts'
import type { FormProps } from './form-props.ts'
import { comparePassword, readNewPassword } from './new-password.ts'
import { findPassword, type PasswordDeps, passwordKey, replacePassword } from './password-deps.ts'
import { currentPasswordField, newPasswordField, show } from './screens.ts'
import { parseStoredPassword } from './stored-password.ts'
import type { TextKey } from './texts.ts'

/** The signed-in user, who may have a password. */
interface PasswordUser {
  readonly user: AdapterUser & { readonly email: string }
  readonly stored: Factor | null
  /** Whether the user authenticated recently: one without a password may set one. */
  readonly isFresh: boolean
  /** The values of `amr` that the session lacks. */
  readonly missing: readonly string[]
}

/** Whether the user authenticates before the form is shown. The current password replaces a recent sign-in, not a second factor. */
const mustAuthenticate = ({ stored, isFresh, missing }: PasswordUser): boolean =>
  missing.length > 0 || !(stored || isFresh)

/** @returns `null` if the user is not stored, or has no verified address. */
async function readUser(request: FeatureRequest, deps: PasswordDeps): Promise<PasswordUser | null> {
  const { context } = deps
  const principal = await request.requireUser()
  const { userId } = principal
  const user = await context.users.getUser(userId)
  if (!user?.email) return null
  const stored = await findPassword(userId, context)
  // Someone else may have created a user with an unverified address: the owner would not know of the password.
  if (!user.emailVerified && !stored) return null
  const missing = await readMissingLevel(request, userId, context)
  return { user: { ...user, email: user.email }, stored, isFresh: hasRecentSignIn(principal, deps), missing }
}

/** For a user without a verified address. */
function showUnavailable(request: FeatureRequest, { context }: PasswordDeps): Promise<ActionResult> {
  const addressUrl = getVerifyAddressUrl(request, context)
  const accountUrl = getAccountUrl(context)
  const links = [
    ...(addressUrl === null ? [] : [{ text: 'confirm', href: addressUrl } as const]),
    accountUrl === null ? ({ text: 'toSite', href: request.siteUrl } as const) : toAccount(accountUrl)
  ]
  return show(request, 'unavailable', { text: 'unavailableText', status: 403, links })
}

const toAccount = (href: string) => ({ text: 'toAccount', href }) as const

/** Why the form was refused. */
interface Refusal {
  readonly currentPassword?: TextKey
  readonly newPassword?: TextKey
  readonly form?: TextKey
}

function getLinks(
  request: FeatureRequest,
  { stored }: Pick<PasswordUser, 'stored'>,
  { context }: PasswordDeps
): FormProps['links'] {
  const accountUrl = getAccountUrl(context)
  return [
    ...(stored ? [{ text: 'forgotPassword', href: `${request.basePath}/password/forgot` } as const] : []),
    ...(accountUrl === null ? [] : [toAccount(accountUrl)])
  ]
}

function showForm(
  request: FeatureRequest,
  { user, stored }: PasswordUser,
  { deps, ...refusal }: Refusal & { readonly deps: PasswordDeps }
): Promise<ActionResult> {
  const fields = [
    ...(stored ? [currentPasswordField(refusal.currentPassword ?? null)] : []),
    newPasswordField('newPassword', refusal.newPassword ?? null, deps)
  ]
  return show(request, stored ? 'change' : 'set', {
    text: stored ? 'changeText' : 'setText',
    email: user.email,
    problem: refusal.form ?? null,
    form: { action: `${request.basePath}/password`, submit: 'save', fields, values: {} },
    links: getLinks(request, { stored }, deps)
  })
}

export async function showChange(request: FeatureRequest, deps: PasswordDeps): Promise<ActionResult> {
  const found = await readUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  if (mustAuthenticate(found)) return askToAuthenticate(request, '/password', { amr: found.missing })
  return showForm(request, found, { deps })
}

/**
 * Whether the user knows the current password, if there is one. A recent sign-in does not replace it: someone who has stolen the
 * session could set a password of their own, and the owner could no longer prove that the account was theirs.
 */
async function isAllowed(
  request: FeatureRequest,
  { user, stored }: PasswordUser,
  deps: PasswordDeps
): Promise<boolean> {
  if (!stored) return true
  const limited = { userId: user.id, device: await request.getKnownDevice() }
  await deps.context.limitUser('current', limited, { points: 10, seconds: 900 })
  const typed = getText(request.body, 'currentPassword') ?? ''
  const { isRight } = await comparePassword(typed, stored.data, request, deps)
  return isRight
}

const isSessionEnded = (error: unknown): boolean => error instanceof AuthError && error.code === 'SessionRequired'

/** A new password that is stored. */
interface StoredChange {
  readonly user: PasswordUser['user']
  readonly hash: string
  /** The password that it has replaced. */
  readonly before: Factor | null
}

/** Restores the previous password. @returns `false` if another request has replaced the new one. */
async function undoChange(
  { user: { id }, hash, before }: StoredChange,
  { context }: Pick<PasswordDeps, 'context'>
): Promise<boolean> {
  const current = await findPassword(id, context)
  if (!current || parseStoredPassword(current.data).hash !== hash) return false
  const isUndone = before
    ? await context.factors.update({ ...current, data: before.data }, current.version)
    : await context.factors.delete(passwordKey(id))
  // The new password may have signed in meanwhile.
  if (isUndone) await context.endSessions(id)
  return isUndone
}

/**
 * Ends the other sessions again, as the old password may have signed in meanwhile. The change is undone if its own session
 * has ended; otherwise it is reported, whatever fails.
 */
async function completeChange(change: StoredChange, request: FeatureRequest, deps: PasswordDeps): Promise<void> {
  const { user } = change
  const facts = { userId: user.id, email: user.email, user, type: 'password-changed' } as const
  const report = (): Promise<void> => finishChange(facts, request, deps)
  try {
    await request.endOtherSessions()
  } catch (error) {
    const isUndone = isSessionEnded(error) && (await undoChange(change, deps).catch(() => false))
    if (!isUndone) await report()
    throw error
  }
  await report()
}

/** Changes or sets the password of the signed-in user, and ends the other sessions. */
export async function finishChangeForm(request: FeatureRequest, deps: PasswordDeps): Promise<ActionResult> {
  const found = await readUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  const { user, stored, missing } = found
  if (mustAuthenticate(found)) return askToAuthenticate(request, '/password', { amr: missing })
  const chosen = await readNewPassword(request, user.email, deps)
  if (chosen.kind === 'refused') return showForm(request, found, { newPassword: chosen.problem, deps })
  if (!(await isAllowed(request, found, deps)))
    return showForm(request, found, { currentPassword: 'currentWrong', deps })
  const hash = await (await deps.getHasher()).hash(chosen.password, request)
  // Nothing is written if this session has ended meanwhile, or if the others cannot be ended.
  await request.endOtherSessions()
  if (!(await replacePassword(user.id, hash, stored, deps.context)))
    return showForm(request, found, { form: 'conflict', deps })
  await completeChange({ user, hash, before: stored }, request, deps)
  return redirect(`${request.origin}${request.basePath}/password/changed`)
}
