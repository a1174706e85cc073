import {
  type ActionResult,
  type Factor,
  type FeatureRequest,
  getText,
  json,
  redirect,
  type SetCookies
} from '@postern/core/feature'
import { AccountPart } from '../account-parts.ts'
import { consumeMailedCode, isMailedCode } from '../mail/mailed-code.ts'
import { toNewFactor } from '../new-factor.ts'
import { askToAuthenticate, mayAddFactor, readCredentialUser, type SignedInUser } from '../signed-in-user.ts'
import { hasTwoFactors, readMissingLevel } from '../two-factors.ts'
import { getAuthenticatorName } from './authenticator-names.ts'
import { showList } from './list.ts'
import { issueCreationOptions } from './new-passkey.ts'
import { createPasskeyEvent, notifyOfChange } from './notices.ts'
import { cancelOwnerCode, enterOwnerCode, forgetOwnerCode, mailOwnerCode, readOwnerProof } from './owner-proof.ts'
import { normalizeName } from './passkey-name.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import { findProblem, listPasskeys } from './passkeys.ts'
import { readNewPasskey } from './read-new-passkey.ts'
import { showUnavailable } from './screens.ts'
import { getPasskeyId, type Passkey, type PasskeyData, passkeyKey } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** The page that adds a passkey. */
export interface AddPage {
  /** Shows it again. @param problem - Why nothing was added. */
  readonly show: (request: FeatureRequest, setup: PasskeySetup, problem: TextKey) => Promise<ActionResult>
  /** Where the user continues. */
  readonly getNext: (request: FeatureRequest) => Promise<string>
  /** Whether the browser may have created it without a question. */
  readonly isConditional: boolean
}

/** The page with all passkeys. */
const listPage: AddPage = {
  show: showList,
  getNext: async ({ origin, basePath }) => `${origin}${basePath}/passkeys`,
  isConditional: false
}

/** The signed-in user, who may add a passkey. */
interface AddingUser extends SignedInUser {
  readonly passkeys: readonly Passkey[]
}

/** Finds the signed-in user, who may add a passkey, and passes them on. */
async function withAddingUser(
  request: FeatureRequest,
  setup: PasskeySetup,
  show: AddPage['show'],
  work: (found: AddingUser) => Promise<ActionResult>
): Promise<ActionResult> {
  const found = await readCredentialUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  if (!found.isFresh) return askToAuthenticate(request, '/passkeys', { amr: found.missing })
  const passkeys = await listPasskeys(found.user.id, setup)
  const problem = findProblem(found, passkeys)
  return problem ? show(request, setup, problem) : work({ ...found, passkeys })
}

/** The options for a script of the application, such as `addPasskey()` of `@postern/react`. */
export function sendCreationOptions(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  return withAddingUser(request, setup, showList, async (found) => {
    const { mail } = await readOwnerProof(found, found.passkeys, request, setup)
    const { options, cookies } = await issueCreationOptions(found, found.passkeys, request, setup)
    return json({ options, mail }, cookies)
  })
}

/**
 * Mails the code that lets the passkey count as two factors, if one is needed for that. A form with a code verifies it, and one with
 * `cancel` continues without it.
 */
export function sendCode(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  return withAddingUser(request, setup, showList, async (found) => {
    const { mail, code } = await readOwnerProof(found, found.passkeys, request, setup)
    const list = `${request.origin}${request.basePath}/passkeys`
    if (code === null || mail === 'none') return redirect(list)
    const typed = getText(request.body, 'mailCode')
    if (typed === null) {
      const change = getText(request.body, 'cancel') === null ? mailOwnerCode : cancelOwnerCode
      return redirect(list, await change(code, request, setup))
    }
    const cookies = await enterOwnerCode(typed, code, request, setup)
    return cookies ? redirect(list, cookies) : showList(request, setup, 'mailWrong')
  })
}

/** A passkey that the browser has created, and what the session proves about its owner. */
interface ReadPasskey {
  readonly data: PasskeyData
  /** Whether it may count as two factors. */
  readonly isProven: boolean
}

/** Reads the new passkey of a form, and uses up the mailed code, if one was typed. */
async function readProven(
  found: AddingUser,
  request: FeatureRequest,
  setup: PasskeySetup,
  isConditional: boolean
): Promise<(ReadPasskey & { readonly cookies: SetCookies | undefined }) | { readonly problem: TextKey }> {
  const { isProven, mail, code, isEntered } = await readOwnerProof(found, found.passkeys, request, setup)
  const typed = mail === 'none' ? '' : (getText(request.body, 'mailCode') ?? '').trim()
  if (code && typed !== '' && !(await isMailedCode(code.purpose, typed, code.policy))) return { problem: 'mailWrong' }
  const read = await readNewPasskey({ use: 'add', userId: found.user.id, isConditional }, request, setup)
  if ('problem' in read) return read
  const used = isEntered || typed !== '' ? code : null
  if (used && !(await consumeMailedCode(used.purpose, used.policy))) return { problem: 'mailWrong' }
  const hasTwo = !isConditional || (await request.getAuthentication())?.amr.includes('mfa') === true
  return {
    data: read.data,
    isProven: hasTwo && (isProven || used !== null),
    cookies: used ? forgetOwnerCode(request, setup) : undefined
  }
}

async function createFactor(
  { data, isProven }: ReadPasskey,
  userId: string,
  { body }: FeatureRequest,
  { context }: PasskeySetup
): Promise<Factor> {
  const stated: PasskeyData = {
    ...data,
    isUserVerified: data.isUserVerified && isProven,
    // Without a second factor, a session with `mfa` may be that of a passkey that the thief of a password has added.
    isOwnerProven: isProven && AccountPart.findAll(context).factors !== null
  }
  // Without a name it is "Passkey" in the language of each page and mail.
  const name = normalizeName(getText(body, 'name')) ?? (await getAuthenticatorName(data.aaguid))
  const key = passkeyKey(getPasskeyId(data.credentialId))
  return { ...toNewFactor(key, userId, JSON.stringify(stated), context), name }
}

/** Writes a passkey, if the session still has the level of the account. The first second factor ends the other sessions. */
function store(
  factor: Factor,
  { user }: SignedInUser,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<'changed' | 'conflict' | TextKey> {
  const { context } = setup
  const passkey = { id: factor.id, name: factor.name ?? '' }
  return request.changeAccess<TextKey>(async ({ user: current }) => {
    const factors = await context.factors.list(user.id)
    const mayAdd = current !== null && mayAddFactor(current)
    const problem = findProblem({ mayAdd }, await listPasskeys(user.id, setup))
    if (problem) return problem
    if ((await readMissingLevel(request, user.id, context)).length > 0) return 'conflict'
    const parts = AccountPart.findAll(context)
    const isFirstSecond = !hasTwoFactors(factors, parts) && hasTwoFactors([...factors, factor], parts)
    const event = createPasskeyEvent('added', { passkey, user }, request, setup)
    return {
      ends: isFirstSecond ? 'others' : 'token',
      writes: [
        { method: 'createFactor', args: [factor] },
        { method: 'addEvents', args: [[event]] }
      ]
    }
  })
}

/**
 * Adds a passkey to the signed-in user.
 *
 * One that was created without a question must not raise the level of the account: it counts as two factors if the session has two.
 */
export function addPasskey(
  request: FeatureRequest,
  setup: PasskeySetup,
  { show, getNext, isConditional }: AddPage = listPage
): Promise<ActionResult> {
  return withAddingUser(request, setup, show, async (found) => {
    const { user } = found
    const read = await readProven(found, request, setup, isConditional)
    if ('problem' in read) return show(request, setup, read.problem)
    const factor = await createFactor(read, user.id, request, setup)
    const outcome = await store(factor, found, request, setup)
    if (outcome !== 'changed') return show(request, setup, outcome)
    notifyOfChange('added', { passkey: { id: factor.id, name: factor.name ?? '' }, user }, request, setup)
    return redirect(await getNext(request), read.cookies)
  })
}
