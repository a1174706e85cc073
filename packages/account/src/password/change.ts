import {
  type ActionResult,
  type AdapterUser,
  type Factor,
  type FeatureRequest,
  getText,
  redirect
} from '@postern/core/feature'
import { getAccountUrl, getVerifyAddressUrl } from '../account-url.ts'
import { askToAuthenticate, readCredentialUser, type SignedInUser } from '../signed-in-user.ts'
import { readMissingLevel } from '../two-factors.ts'
import { notifyOfChange, toChangeWrites } from './changed-password.ts'
import type { FormProps } from './form-props.ts'
import { comparePassword, readNewPassword } from './new-password.ts'
import { findPassword, type PasswordSetup } from './password-setup.ts'
import { currentPasswordField, newPasswordField, show } from './screens.ts'
import { isSamePassword } from './stored-password.ts'
import type { TextKey } from './texts.ts'

/** The signed-in user, who may have a password. */
interface PasswordUser extends Pick<SignedInUser, 'isFresh' | 'missing'> {
  readonly user: AdapterUser & { readonly email: string }
  readonly stored: Factor | null
}

/** Whether the user authenticates before the form is shown. The current password replaces a recent sign-in, not a second factor. */
const mustAuthenticate = ({ stored, isFresh, missing }: PasswordUser): boolean =>
  missing.length > 0 || !(stored || isFresh)

/** @returns `null` if the user is not stored, or has no verified address. */
async function readUser(request: FeatureRequest, setup: PasswordSetup): Promise<PasswordUser | null> {
  const found = await readCredentialUser(request, setup)
  if (!found?.user.email) return null
  const { user, isFresh, missing } = found
  const stored = await findPassword(user.id, setup.context)
  // Someone else may have created a user with an unverified address: the owner would not know of the password.
  return found.mayAdd || stored ? { user: { ...user, email: found.user.email }, stored, isFresh, missing } : null
}

/** For a user without a verified address. */
function showUnavailable(request: FeatureRequest, { context }: PasswordSetup): Promise<ActionResult> {
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
  { context }: PasswordSetup
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
  { setup, ...refusal }: Refusal & { readonly setup: PasswordSetup }
): Promise<ActionResult> {
  const fields = [
    ...(stored ? [currentPasswordField(refusal.currentPassword ?? null)] : []),
    newPasswordField('newPassword', refusal.newPassword ?? null, setup)
  ]
  return show(request, stored ? 'change' : 'set', {
    text: stored ? 'changeText' : 'setText',
    email: user.email,
    problem: refusal.form ?? null,
    form: { action: `${request.basePath}/password`, submit: 'save', fields, values: {} },
    links: getLinks(request, { stored }, setup)
  })
}

export async function showChange(request: FeatureRequest, setup: PasswordSetup): Promise<ActionResult> {
  const found = await readUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  if (mustAuthenticate(found)) return askToAuthenticate(request, '/password', { amr: found.missing })
  return showForm(request, found, { setup })
}

/**
 * Whether the user knows the current password, if there is one. A recent sign-in does not replace it: someone who has stolen the
 * session could set a password of their own, and the owner could no longer prove that the account was theirs.
 */
async function isAllowed(
  request: FeatureRequest,
  { user, stored }: PasswordUser,
  setup: PasswordSetup
): Promise<boolean> {
  if (!stored) return true
  const limited = { userId: user.id, device: await request.getKnownDevice() }
  await setup.context.limitUser('current', limited, { points: 10, seconds: 900 })
  const typed = getText(request.body, 'currentPassword') ?? ''
  const { isRight } = await comparePassword(typed, stored.data, request, setup)
  return isRight
}

/**
 * Writes the new password, if the one that was compared is still the password of the user, and the session has the level of the account.
 * The other sessions end, and sign-ins with the password before.
 */
function changePassword(
  request: FeatureRequest,
  { user, stored }: PasswordUser,
  hash: string,
  { context }: PasswordSetup
): Promise<'changed' | 'conflict'> {
  return request.changeAccess<'conflict'>(async ({ user: current }) => {
    const known = await findPassword(user.id, context)
    const isProven = stored !== null || Boolean(current?.emailVerified)
    if (current?.email !== user.email || !isProven || !isSamePassword(known, stored)) return 'conflict'
    if ((await readMissingLevel(request, user.id, context)).length > 0) return 'conflict'
    const changed = { userId: user.id, hash, known, type: 'password-changed' } as const
    return { ends: 'others', writes: toChangeWrites(changed, request, context) }
  })
}

/** Changes or sets the password of the signed-in user, and ends the other sessions. */
export async function finishChangeForm(request: FeatureRequest, setup: PasswordSetup): Promise<ActionResult> {
  const found = await readUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  const { user, missing } = found
  if (mustAuthenticate(found)) return askToAuthenticate(request, '/password', { amr: missing })
  const chosen = await readNewPassword(request, user.email, setup)
  if (chosen.kind === 'refused') return showForm(request, found, { newPassword: chosen.problem, setup })
  if (!(await isAllowed(request, found, setup)))
    return showForm(request, found, { currentPassword: 'currentWrong', setup })
  const hash = await (await setup.getHasher()).hash(chosen.password, request)
  if ((await changePassword(request, found, hash, setup)) !== 'changed')
    return showForm(request, found, { form: 'conflict', setup })
  notifyOfChange(user.email, request, setup.context, user)
  return redirect(`${request.origin}${request.basePath}/password/changed`)
}
