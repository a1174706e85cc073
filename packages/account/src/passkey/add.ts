import { type ActionResult, type FeatureRequest, getText, json, redirect } from '@postern/core/feature'
import { askToAuthenticate, readUser, type SignedInUser } from '../signed-in-user.ts'
import { getAuthenticatorName } from './authenticator-names.ts'
import { isSecondFactor } from './factor-policy.ts'
import { findProblem } from './find-problem.ts'
import { showList } from './list.ts'
import { issueCreationOptions } from './new-passkey.ts'
import { reportChange } from './notices.ts'
import type { PasskeyDeps } from './passkey-deps.ts'
import { normalizeName } from './passkey-name.ts'
import { listPasskeys } from './passkeys.ts'
import { readNewPasskey } from './read-new-passkey.ts'
import { showUnavailable } from './screens.ts'
import { getPasskeyId, type Passkey, passkeyKey } from './stored-passkey.ts'

/** The options for a script of the application, such as `addPasskey()` of `@postern/react`. */
export async function sendCreationOptions(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  const found = await readUser(request, deps)
  if (!found) return showUnavailable(request)
  if (!found.isFresh) return askToAuthenticate(request, '/passkeys')
  const passkeys = await listPasskeys(found.user.id, deps)
  const problem = findProblem(found, passkeys)
  if (problem) return showList(request, deps, problem)
  const { options, cookies } = await issueCreationOptions(found, passkeys, request, deps)
  return json({ options }, cookies)
}

/**
 * Whether a new passkey may count as two factors. If another one does, or if the user is asked for a second factor, only a
 * session with two factors adds it: someone who knows the password, or has a trusted browser, must not get `mfa` with an
 * authenticator of their own.
 */
async function mayProveTwoFactors(
  { user }: SignedInUser,
  passkeys: readonly Passkey[],
  request: FeatureRequest,
  { context }: PasskeyDeps
): Promise<boolean> {
  if (!passkeys.some(({ isUserVerified }) => isUserVerified) && !(await isSecondFactor(user, context))) return true
  return (await request.getAuthentication())?.amr.includes('mfa') ?? false
}

/** Adds a passkey to the signed-in user. */
export async function addPasskey(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  const { factors, now } = deps.context
  const found = await readUser(request, deps)
  if (!found) return showUnavailable(request)
  if (!found.isFresh) return askToAuthenticate(request, '/passkeys')
  const { user } = found
  const passkeys = await listPasskeys(user.id, deps)
  const problem = findProblem(found, passkeys)
  if (problem) return showList(request, deps, problem)
  const read = await readNewPasskey({ use: 'add', userId: user.id }, request, deps)
  if ('problem' in read) return showList(request, deps, read.problem)
  const data = {
    ...read.data,
    isUserVerified: read.data.isUserVerified && (await mayProveTwoFactors(found, passkeys, request, deps))
  }
  // Without a name it is "Passkey" in the language of each page and mail.
  const name = normalizeName(getText(request.body, 'name')) ?? (await getAuthenticatorName(data.aaguid))
  const id = await getPasskeyId(data.credentialId)
  const about = { userId: user.id, name, lastUsedAt: null, version: 0, createdAt: new Date(now()) }
  await factors.create({ ...passkeyKey(id), ...about, data: JSON.stringify(data) })
  try {
    await request.confirmUser()
  } catch (error) {
    // The session was ended, or the user deleted, while the passkey was created.
    await factors.delete(passkeyKey(id))
    throw error
  }
  await reportChange('added', { passkey: { id, name: name ?? '' }, user }, request, deps)
  return redirect(`${request.origin}${request.basePath}/passkeys`)
}
