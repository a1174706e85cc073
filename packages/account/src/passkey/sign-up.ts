import {
  type ActionResult,
  type FeatureRequest,
  getText,
  type NewUserFactor,
  normalizeEmailAddress,
  type ProvenIdentity,
  redirect,
  type SignInMethod,
  showCaptcha
} from '@postern/core/feature'
import { explainAddress } from '../address-problem.ts'
import {
  createMailedSignUpMethod,
  getCallbackPath,
  isOfKnownUser,
  mailSignUp,
  proveSignUp,
  readLinkedSignUp,
  readSignedUp,
  type StoredSignUp,
  verifySignUpCode
} from '../mail/mailed-sign-up.ts'
import { isByPerson } from '../sign-up-form/captcha.ts'
import {
  hasProblems,
  keepFields,
  noFields,
  type ReadFields,
  readFields,
  type SignUpValues,
  showFields
} from '../sign-up-form/sign-up-fields.ts'
import { getAuthenticatorName } from './authenticator-names.ts'
import { issueSignUpOptions } from './new-passkey.ts'
import type { PasskeySetup } from './passkey-setup.ts'
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
  /** What was typed into the fields of the application; sign-ups without them have none. */
  readonly values?: SignUpValues
}

/** What was typed, and why it was refused. */
interface Refusal {
  readonly email: string
  readonly emailProblem: TextKey | null
  readonly fields: ReadFields
  readonly problem: TextKey | null
}

const nothing: Refusal = { email: '', emailProblem: null, fields: noFields, problem: null }

/** Shows the page that creates an account. Views of it store nothing. */
export async function showSignUp(
  request: FeatureRequest,
  setup: PasskeySetup,
  { email, emailProblem, fields, problem }: Refusal = nothing
): Promise<ActionResult> {
  const { basePath } = request
  const { options, cookies } = await issueSignUpOptions(null, request, setup)
  const field: SignUpField = { name: 'email', value: email, problem: emailProblem }
  const { ownFields, texts } = showFields(setup.signUpFields, fields)
  const captcha = showCaptcha(setup.captcha)
  const form = { submit: 'createPasskey', field, ownFields, captcha, options, values: {} } as const
  return showSignUpScreen(request, 'sign-up', {
    text: 'signUpText',
    texts,
    form: { action: `${basePath}/passkey/sign-up`, ...form },
    problem,
    link: { text: 'toSignIn', href: `${basePath}/signin` },
    cookies
  })
}

/** Stores the sign-up and mails its link. If the address has a user, only a mail to its owner says so. */
export async function startSignUp(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  const typed = getText(request.body, 'email') ?? ''
  const shown = { ...nothing, email: typed.slice(0, 320) }
  if (!(await isByPerson(request, setup.captcha, setup.context)))
    return showSignUp(request, setup, {
      ...shown,
      problem: 'captchaFailed',
      fields: keepFields(request.body, setup.signUpFields)
    })
  // The limit of the mails counts the whole text: a part of it must not be another address.
  const email = normalizeEmailAddress(typed)
  const fields = await readFields(request.body, setup.signUpFields)
  if (email === null || hasProblems(fields)) {
    const emailProblem = email === null ? explainAddress(typed) : null
    return showSignUp(request, setup, { ...shown, emailProblem, fields })
  }
  // Whether the address has a user is not known before the passkey is verified: it takes as long for every address.
  const read = await readNewPasskey(purpose, request, setup)
  if ('problem' in read) return showSignUp(request, setup, { ...nothing, email, fields, problem: read.problem })
  const user = await setup.context.users.getUserByEmail(email)
  const signUp = { email, passkey: user?.emailVerified ? null : read.data, values: fields.values }
  return mailSignUp(signUp, request, { setup, user })
}

/** The page after a sign-up, on which the code is typed. */
export async function showCheckMail(
  request: FeatureRequest,
  setup: PasskeySetup,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const browser = await readSignedUp(request, setup)
  const { basePath } = request
  if (!browser) return redirect(`${request.origin}${basePath}/passkey/sign-up`)
  const field: SignUpField = { name: 'code', value: '', problem }
  return showSignUpScreen(request, 'check-mail', {
    text: 'checkMailText',
    email: browser.email,
    form: { action: getCallbackPath(request, setup), submit: 'continue', field, options: null, values: {} },
    link: { text: 'startAgain', href: `${basePath}/passkey/sign-up` }
  })
}

/** The mailed link or code has proven the owner. */
async function toNewUserFactor(passkey: PasskeyData): Promise<NewUserFactor> {
  const data = JSON.stringify({ ...passkey, isOwnerProven: true })
  const name = await getAuthenticatorName(passkey.aaguid)
  return { type: factorType, id: getPasskeyId(passkey.credentialId), name, data }
}

/** The address is proven. A new user gets the passkey, if there is one; one that was added meanwhile is refused. */
async function prove(
  signUp: StoredSignUp<SignUpPasskey>,
  passkey: PasskeyData | null,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<ProvenIdentity | ActionResult> {
  if (passkey && (await findPasskey(passkey.credentialId, setup))) return showGone(request)
  const proven = proveSignUp(signUp, passkey ? [await toNewUserFactor(passkey)] : [], request, setup)
  return { ...proven, user: { ...signUp.values, ...proven.user } }
}

async function verifyCode(
  typed: string,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<ProvenIdentity | ActionResult> {
  const signUp = await verifySignUpCode<SignUpPasskey>(typed, request, setup)
  if (signUp === 'used') return showUsed(request)
  if (signUp === 'gone') return showGone(request)
  if (signUp === 'wrong') return showCheckMail(request, setup, 'codeWrong')
  // The passkey of a sign-up is discarded if the address belongs to a user already.
  const isKnown = await isOfKnownUser(signUp, setup)
  if (!isKnown || getText(request.body, 'confirmed') !== null)
    return prove(signUp, isKnown ? null : signUp.passkey, request, setup)
  return showConfirm(request, signUp, { text: 'confirmUnused', values: { code: typed, confirmed: 'true' } }, setup)
}

/** Shows the page of a mailed link that needs nothing but a button. */
function showConfirm(
  request: FeatureRequest,
  { email }: StoredSignUp<SignUpPasskey>,
  { text, values }: { readonly text: TextKey; readonly values: Readonly<Record<string, string>> },
  setup: PasskeySetup
): Promise<ActionResult> {
  const action = getCallbackPath(request, setup)
  const form = { action, submit: 'confirmSubmit', field: null, options: null, values } as const
  const link = { text: 'toSignIn', href: `${request.basePath}/signin` } as const
  return showSignUpScreen(request, 'confirm', { text, email, form, link })
}

/** Shows the page of a mailed link in another browser, which creates a passkey of its own. */
async function showCreate(
  request: FeatureRequest,
  { email }: StoredSignUp<SignUpPasskey>,
  { token, problem, fields }: { readonly token: string; readonly problem: TextKey | null; readonly fields: ReadFields },
  setup: PasskeySetup
): Promise<ActionResult> {
  const { options, cookies } = await issueSignUpOptions(email, request, setup)
  const action = getCallbackPath(request, setup)
  const { ownFields, texts } = showFields(setup.signUpFields, fields)
  const form = { action, submit: 'createPasskey', field: null, ownFields, options, values: { token } } as const
  const link = { text: 'toSignIn', href: `${request.basePath}/signin` } as const
  return showSignUpScreen(request, 'create', { text: 'createText', texts, email, form, problem, link, cookies })
}

/** Verifies a mailed link: GET shows a page and changes nothing, as mail scanners open links. */
async function verifyLink(
  token: string,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<ProvenIdentity | ActionResult> {
  const linked = await readLinkedSignUp<SignUpPasskey>(token, request, setup)
  if (linked === 'used') return showUsed(request)
  if (linked === 'gone') return showGone(request)
  const { signUp, isKnown, isSameBrowser } = linked
  const isShown = request.method === 'GET'
  if (isKnown || (isSameBrowser && signUp.passkey !== null))
    return isShown
      ? showConfirm(request, signUp, { text: isKnown ? 'confirmUnused' : 'confirmText', values: { token } }, setup)
      : prove(signUp, isKnown ? null : signUp.passkey, request, setup)
  if (isShown) return showCreate(request, signUp, { token, problem: null, fields: noFields }, setup)
  // Somebody else may have typed those of the sign-up.
  const fields = await readFields(request.body, setup.signUpFields)
  if (hasProblems(fields)) return showCreate(request, signUp, { token, problem: null, fields }, setup)
  const read = await readNewPasskey(purpose, request, setup)
  if ('problem' in read) return showCreate(request, signUp, { token, problem: read.problem, fields }, setup)
  return prove({ ...signUp, values: fields.values }, read.data, request, setup)
}

/** The mailed link or code signs in, and creates the user. */
export function createSignUpMethod(setup: PasskeySetup): SignInMethod {
  return createMailedSignUpMethod(setup, {
    name: 'Sign-up with a passkey',
    startPath: '/passkey/sign-up',
    verifyCode: (code, request) => verifyCode(code, request, setup),
    verifyLink: (token, request) => verifyLink(token, request, setup)
  })
}
