import { type ActionResult, type FactorKey, type FeatureRequest, getText, json, redirect } from '@postern/core/feature'
import { askToAuthenticate, readCredentialUser } from '../signed-in-user.ts'
import { getAuthenticatorName } from './authenticator-names.ts'
import { findFactorPolicy } from './factor-policy.ts'
import { findProblem } from './find-problem.ts'
import { showList } from './list.ts'
import { issueCreationOptions } from './new-passkey.ts'
import { reportChange } from './notices.ts'
import { mailOwnerCode, readOwnerProof, verifyOwnerCode } from './owner-proof.ts'
import type { PasskeyDeps } from './passkey-deps.ts'
import { normalizeName } from './passkey-name.ts'
import { listPasskeys } from './passkeys.ts'
import { readNewPasskey } from './read-new-passkey.ts'
import { showUnavailable } from './screens.ts'
import { factorType, getPasskeyId, passkeyKey, toPasskey } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** The options for a script of the application, such as `addPasskey()` of `@postern/react`. */
export async function sendCreationOptions(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  const found = await readCredentialUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  if (!found.isFresh) return askToAuthenticate(request, '/passkeys', { amr: found.missing })
  const passkeys = await listPasskeys(found.user.id, deps)
  const problem = findProblem(found, passkeys)
  if (problem) return showList(request, deps, problem)
  const { mail } = await readOwnerProof(found, passkeys, request, deps)
  const { options, cookies } = await issueCreationOptions(found, passkeys, request, deps)
  return json({ options, mail }, cookies)
}

/** Mails the code that lets the passkey count as two factors, if one is needed for that. */
export async function sendCode(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  const found = await readCredentialUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  if (!found.isFresh) return askToAuthenticate(request, '/passkeys', { amr: found.missing })
  const passkeys = await listPasskeys(found.user.id, deps)
  const problem = findProblem(found, passkeys)
  if (problem) return showList(request, deps, problem)
  const proof = await readOwnerProof(found, passkeys, request, deps)
  const cookies = proof.mail === 'none' ? undefined : await mailOwnerCode(found, proof, request, deps)
  return redirect(`${request.origin}${request.basePath}/passkeys`, cookies)
}

/** Milliseconds in which an addition completes. */
const maxDuration = 60_000

/** Deletes the passkeys of additions that have not completed, as their process ended. */
async function deleteUnconfirmedPasskeys(userId: string, { context: { factors, now } }: PasskeyDeps): Promise<void> {
  for (const factor of await factors.list(userId, factorType))
    if (!toPasskey(factor).isConfirmed && factor.createdAt.getTime() < now() - maxDuration) await factors.delete(factor)
}

/**
 * Requires that the session is valid, and deletes the passkey otherwise: the session was ended, or the user deleted, meanwhile.
 *
 * @param check - Checks the session.
 */
async function requireSession(key: FactorKey, check: () => Promise<unknown>, { context }: PasskeyDeps): Promise<void> {
  try {
    await check()
  } catch (error) {
    await context.factors.delete(key)
    throw error
  }
}

/** The page that adds a passkey. */
export interface AddPage {
  /** Shows it again. @param problem - Why nothing was added. */
  readonly show: (request: FeatureRequest, deps: PasskeyDeps, problem: TextKey) => Promise<ActionResult>
  /** Where the user continues. */
  readonly getNext: (request: FeatureRequest) => Promise<string>
  /** Whether the browser may have created it without a question. */
  readonly isConditional: boolean
}

/** The page with all passkeys. */
export const listPage: AddPage = {
  show: showList,
  getNext: async ({ origin, basePath }) => `${origin}${basePath}/passkeys`,
  isConditional: false
}

/**
 * Adds a passkey to the signed-in user.
 *
 * One that was created without a question must not raise the level of the account: it counts as two factors if the session has two.
 */
export async function addPasskey(
  request: FeatureRequest,
  deps: PasskeyDeps,
  { show, getNext, isConditional }: AddPage = listPage
): Promise<ActionResult> {
  const { factors, now } = deps.context
  const found = await readCredentialUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  if (!found.isFresh) return askToAuthenticate(request, '/passkeys', { amr: found.missing })
  const { user } = found
  const passkeys = await listPasskeys(user.id, deps)
  const problem = findProblem(found, passkeys)
  if (problem) return show(request, deps, problem)
  const proof = await readOwnerProof(found, passkeys, request, deps)
  const typed = proof.mail === 'none' ? '' : (getText(request.body, 'mailCode') ?? '').trim()
  const code = typed === '' ? null : await verifyOwnerCode(typed, { user, proof }, request, deps)
  if (typed !== '' && code === null) return show(request, deps, 'mailWrong')
  const read = await readNewPasskey({ use: 'add', userId: user.id, isConditional }, request, deps)
  if ('problem' in read) return show(request, deps, read.problem)
  if (code && !(await code.consume())) return show(request, deps, 'mailWrong')
  const hasTwo = !isConditional || (await request.getAuthentication())?.amr.includes('mfa') === true
  const isProven = hasTwo && (proof.isProven || code !== null)
  const data = {
    ...read.data,
    isUserVerified: read.data.isUserVerified && isProven,
    // Without a second factor, a session with `mfa` may be that of a passkey that the thief of a password has added.
    isOwnerProven: isProven && findFactorPolicy(deps.context) !== null
  }
  // Without a name it is "Passkey" in the language of each page and mail.
  const name = normalizeName(getText(request.body, 'name')) ?? (await getAuthenticatorName(data.aaguid))
  const id = await getPasskeyId(data.credentialId)
  const about = { userId: user.id, name, lastUsedAt: null, version: 0, createdAt: new Date(now()) }
  await deleteUnconfirmedPasskeys(user.id, deps)
  const factor = { ...passkeyKey(id), ...about, data: JSON.stringify({ ...data, isConfirmed: false }) }
  await factors.create(factor)
  await requireSession(passkeyKey(id), request.confirmUser, deps)
  const isStored = await factors.update(
    { ...factor, data: JSON.stringify({ ...data, isConfirmed: true }) },
    factor.version
  )
  if (!isStored) return show(request, deps, 'conflict')
  await requireSession(passkeyKey(id), request.reissueSession, deps)
  await reportChange('added', { passkey: { id, name: name ?? '' }, user }, request, deps)
  return redirect(await getNext(request), code?.cookies)
}
