import {
  type ActionResult,
  type FeatureRequest,
  getText,
  type NewUserFactor,
  normalizeEmailAddress,
  type ProvenIdentity,
  redirect,
  type SignInMethod
} from '@postern/core/feature'
import { explainAddress } from '../address-problem.ts'
import {
  createMailedSignUpMethod,
  getCallbackPath,
  isOfKnownUser,
  type MailedSignUpDeps,
  mailSignUp,
  proveSignUp,
  readLinkedSignUp,
  readSignedUp,
  type StoredSignUp,
  verifySignUpCode
} from '../mail/mailed-sign-up.ts'
import { getAuthenticatorName } from './authenticator-names.ts'
import { issueSignUpOptions } from './new-passkey.ts'
import type { PasskeyDeps } from './passkey-deps.ts'
import { findPasskey } from './passkeys.ts'
import { readNewPasskey } from './read-new-passkey.ts'
import type { SignUpField } from './sign-up-props.ts'
import { showGone, showSignUpScreen, showUsed } from './sign-up-screens.ts'
import { factorType, getPasskeyId, type PasskeyData } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** The challenge of a new passkey was issued to a browser, not to a user. */
const purpose = { use: 'sign-up', userId: null } as const

/** What the ticket of a sign-up contains for a new user. */
interface SignUpPasskey {
  /** `null` if the address has a user who has verified it. */
  readonly passkey: PasskeyData | null
}

const getMailDeps = ({ context, maySignUp }: PasskeyDeps): MailedSignUpDeps => ({
  ...{ feature: 'passkey', context, maySignUp }
})

/** What was typed, and why it was refused. */
interface Refusal {
  readonly email: string
  readonly emailProblem: TextKey | null
  readonly problem: TextKey | null
}

const nothing: Refusal = { email: '', emailProblem: null, problem: null }

/** Shows the page that creates an account. Views of it store nothing. */
export async function showSignUp(
  request: FeatureRequest,
  deps: PasskeyDeps,
  { email, emailProblem, problem }: Refusal = nothing
): Promise<ActionResult> {
  const { basePath } = request
  const { options, cookies } = await issueSignUpOptions(null, request, deps)
  const field: SignUpField = { name: 'email', value: email, problem: emailProblem }
  return showSignUpScreen(request, 'sign-up', {
    text: 'signUpText',
    form: { action: `${basePath}/passkey/sign-up`, submit: 'createPasskey', field, options, values: {} },
    problem,
    link: { text: 'toSignIn', href: `${basePath}/signin` },
    cookies
  })
}

/** Stores the sign-up and mails its link. If the address has a user, only a mail to its owner says so. */
export async function startSignUp(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  const typed = getText(request.body, 'email') ?? ''
  // The limit of the mails counts the whole text: a part of it must not be another address.
  const email = normalizeEmailAddress(typed)
  if (email === null)
    return showSignUp(request, deps, { ...nothing, email: typed.slice(0, 320), emailProblem: explainAddress(typed) })
  // Whether the address has a user is not known before the passkey is verified: it takes as long for every address.
  const read = await readNewPasskey(purpose, request, deps)
  if ('problem' in read) return showSignUp(request, deps, { ...nothing, email, problem: read.problem })
  const user = await deps.context.users.getUserByEmail(email)
  const signUp = { email, passkey: user?.emailVerified ? null : read.data }
  return mailSignUp(signUp, request, { deps: getMailDeps(deps), user })
}

/** The page after a sign-up, on which the code is typed. */
export async function showCheckMail(
  request: FeatureRequest,
  deps: PasskeyDeps,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const browser = await readSignedUp(request, deps)
  const { basePath } = request
  if (!browser) return redirect(`${request.origin}${basePath}/passkey/sign-up`)
  const field: SignUpField = { name: 'code', value: '', problem }
  return showSignUpScreen(request, 'check-mail', {
    text: 'checkMailText',
    email: browser.email,
    form: { action: getCallbackPath(request, getMailDeps(deps)), submit: 'continue', field, options: null, values: {} },
    link: { text: 'startAgain', href: `${basePath}/passkey/sign-up` }
  })
}

/** The mailed link or code has proven the owner. */
async function toNewUserFactor(passkey: PasskeyData): Promise<NewUserFactor> {
  const data = JSON.stringify({ ...passkey, isOwnerProven: true })
  const name = await getAuthenticatorName(passkey.aaguid)
  return { type: factorType, id: await getPasskeyId(passkey.credentialId), name, data }
}

/** The address is proven. A new user gets the passkey, if there is one; one that was added meanwhile is refused. */
async function prove(
  signUp: StoredSignUp<SignUpPasskey>,
  passkey: PasskeyData | null,
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<ProvenIdentity | ActionResult> {
  if (passkey && (await findPasskey(passkey.credentialId, deps))) return showGone(request)
  return proveSignUp(signUp, passkey ? [await toNewUserFactor(passkey)] : [], request, deps)
}

async function verifyCode(
  typed: string,
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<ProvenIdentity | ActionResult> {
  const signUp = await verifySignUpCode<SignUpPasskey>(typed, request, deps)
  if (signUp === 'used') return showUsed(request)
  if (signUp === 'gone') return showGone(request)
  if (signUp === 'wrong') return showCheckMail(request, deps, 'codeWrong')
  // The passkey of a sign-up is discarded if the address belongs to a user already.
  const isKnown = await isOfKnownUser(signUp, deps)
  if (!isKnown || getText(request.body, 'confirmed') !== null)
    return prove(signUp, isKnown ? null : signUp.passkey, request, deps)
  return showConfirm(request, signUp, { text: 'confirmUnused', values: { code: typed, confirmed: 'true' } }, deps)
}

/** Shows the page of a mailed link that needs nothing but a button. */
function showConfirm(
  request: FeatureRequest,
  { email }: StoredSignUp<SignUpPasskey>,
  { text, values }: { readonly text: TextKey; readonly values: Readonly<Record<string, string>> },
  deps: PasskeyDeps
): Promise<ActionResult> {
  const action = getCallbackPath(request, getMailDeps(deps))
  const form = { action, submit: 'confirmSubmit', field: null, options: null, values } as const
  const link = { text: 'toSignIn', href: `${request.basePath}/signin` } as const
  return showSignUpScreen(request, 'confirm', { text, email, form, link })
}

/** Shows the page of a mailed link in another browser, which creates a passkey of its own. */
async function showCreate(
  request: FeatureRequest,
  { email }: StoredSignUp<SignUpPasskey>,
  { token, problem }: { readonly token: string; readonly problem: TextKey | null },
  deps: PasskeyDeps
): Promise<ActionResult> {
  const { options, cookies } = await issueSignUpOptions(email, request, deps)
  const action = getCallbackPath(request, getMailDeps(deps))
  const form = { action, submit: 'createPasskey', field: null, options, values: { token } } as const
  const link = { text: 'toSignIn', href: `${request.basePath}/signin` } as const
  return showSignUpScreen(request, 'create', { text: 'createText', email, form, problem, link, cookies })
}

/** Verifies a mailed link: GET shows a page and changes nothing, as mail scanners open links. */
async function verifyLink(
  token: string,
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<ProvenIdentity | ActionResult> {
  const linked = await readLinkedSignUp<SignUpPasskey>(token, request, deps)
  if (linked === 'used') return showUsed(request)
  if (linked === 'gone') return showGone(request)
  const { signUp, isKnown, isSameBrowser } = linked
  const isShown = request.method === 'GET'
  if (isKnown || (isSameBrowser && signUp.passkey !== null))
    return isShown
      ? showConfirm(request, signUp, { text: isKnown ? 'confirmUnused' : 'confirmText', values: { token } }, deps)
      : prove(signUp, isKnown ? null : signUp.passkey, request, deps)
  if (isShown) return showCreate(request, signUp, { token, problem: null }, deps)
  const read = await readNewPasskey(purpose, request, deps)
  if ('problem' in read) return showCreate(request, signUp, { token, problem: read.problem }, deps)
  return prove(signUp, read.data, request, deps)
}

/** The mailed link or code signs in, and creates the user. */
export function createSignUpMethod(deps: PasskeyDeps): SignInMethod {
  return createMailedSignUpMethod(getMailDeps(deps), {
    name: 'Sign-up with a passkey',
    startPath: '/passkey/sign-up',
    verifyCode: (code, request) => verifyCode(code, request, deps),
    verifyLink: (token, request) => verifyLink(token, request, deps)
  })
}
