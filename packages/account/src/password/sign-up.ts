import {
  type ActionResult,
  type FeatureRequest,
  getText,
  normalizeEmailAddress,
  type ProvenIdentity,
  redirect,
  type SignInMethod
} from '@postern/core/feature'
import {
  createMailedSignUpMethod,
  getCallbackPath,
  type MailedSignUpDeps,
  mailConfirmationLink,
  mailSignUp,
  proveSignUp,
  readLinkedSignUp,
  readSignedUp,
  type StoredSignUp,
  verifySignUpCode
} from '../mail/mailed-sign-up.ts'
import { readNewPassword } from './new-password.ts'
import { type PasswordDeps, passwordKey } from './password-deps.ts'
import { codeField, emailField, newPasswordField, show, showDone, showGone } from './screens.ts'
import { createStoredPassword } from './stored-password.ts'
import type { TextKey } from './texts.ts'

/** What the ticket of a sign-up contains for a new user. */
interface SignUpPassword {
  /** The hash of the password; `null` if the address has a user, or if no password was chosen. */
  readonly hash: string | null
}

const getMailDeps = ({ context }: PasswordDeps): MailedSignUpDeps => ({ feature: 'password', context })

/** What was typed, and why it was refused. */
interface Refusal {
  readonly email: string
  readonly emailProblem: TextKey | null
  readonly passwordProblem: TextKey | null
}

const nothing: Refusal = { email: '', emailProblem: null, passwordProblem: null }

export function showSignUp(
  request: FeatureRequest,
  deps: PasswordDeps,
  { email, emailProblem, passwordProblem }: Refusal = nothing
): Promise<ActionResult> {
  const { basePath } = request
  return show(request, 'sign-up', {
    text: 'signUpText',
    form: {
      action: `${basePath}/password/sign-up`,
      submit: 'continue',
      fields: [emailField(email, emailProblem), newPasswordField('password', passwordProblem, deps)],
      values: {}
    },
    links: [{ text: 'signIn', href: `${basePath}/signin` }]
  })
}

/** Stores the sign-up and mails its link. If the address has a user, only a mail to its owner says so. */
export async function startSignUp(request: FeatureRequest, deps: PasswordDeps): Promise<ActionResult> {
  const { context, getHasher } = deps
  const typed = getText(request.body, 'email') ?? ''
  const email = normalizeEmailAddress(typed)
  const chosen = await readNewPassword(request, email ?? '', deps)
  if (email === null || chosen.kind === 'refused') {
    const emailProblem = email === null ? 'emailInvalid' : null
    const passwordProblem = chosen.kind === 'refused' ? chosen.problem : null
    return showSignUp(request, deps, { email: typed.slice(0, 320), emailProblem, passwordProblem })
  }
  // It takes as long for every address.
  const hash = await (await getHasher()).hash(chosen.password, request)
  const user = await context.users.getUserByEmail(email)
  const isKnown = Boolean(user?.emailVerified)
  return mailSignUp({ email, hash: user ? null : hash }, request, { deps: getMailDeps(deps), isKnown })
}

/** Mails a link to the owner of an unverified address, which verifies it. */
export function mailConfirmation(email: string, request: FeatureRequest, deps: PasswordDeps): Promise<void> {
  return mailConfirmationLink({ email, hash: null }, request, getMailDeps(deps))
}

/** The page after a sign-up, on which the code is typed. */
export async function showCheckMail(
  request: FeatureRequest,
  deps: PasswordDeps,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const browser = await readSignedUp(request, deps)
  const { basePath } = request
  if (!browser) return redirect(`${request.origin}${basePath}/password/sign-up`)
  return show(request, 'check-mail', {
    text: 'checkMailText',
    email: browser.email,
    form: {
      action: getCallbackPath(request, getMailDeps(deps)),
      submit: 'continue',
      fields: [codeField(problem)],
      values: {}
    },
    links: [{ text: 'startAgain', href: `${basePath}/password/sign-up` }]
  })
}

/** The address is proven. A new user gets the password, if there is one. */
function prove(
  signUp: StoredSignUp<SignUpPassword>,
  hash: string | null,
  request: FeatureRequest,
  deps: PasswordDeps
): ProvenIdentity {
  const factors =
    hash === null ? [] : [{ type: passwordKey('').type, name: null, data: createStoredPassword(hash, deps.context) }]
  return proveSignUp(signUp, factors, request, deps)
}

async function verifyCode(
  typed: string,
  request: FeatureRequest,
  deps: PasswordDeps
): Promise<ProvenIdentity | ActionResult> {
  const signUp = await verifySignUpCode<SignUpPassword>(typed, request, deps)
  if (signUp === 'used') return showDone(request, 'used')
  if (signUp === 'gone') return showGone(request, '/password/sign-up')
  if (signUp === 'wrong') return showCheckMail(request, deps, 'codeWrong')
  return prove(signUp, signUp.hash, request, deps)
}

/** What the page of a mailed link shows. */
interface ShownLink {
  readonly token: string
  /** Whether no password is chosen on it. */
  readonly isChosen: boolean
  readonly isKnown: boolean
  readonly passwordProblem: TextKey | null
  readonly deps: PasswordDeps
}

/** Shows the page of a mailed link. A password is chosen in every browser but the one that has signed up. */
function showLink(
  request: FeatureRequest,
  { email }: StoredSignUp<SignUpPassword>,
  { token, isChosen, isKnown, passwordProblem, deps }: ShownLink
): Promise<ActionResult> {
  const form = {
    action: getCallbackPath(request, getMailDeps(deps)),
    submit: 'confirmSubmit',
    fields: isChosen ? [] : [newPasswordField('password', passwordProblem, deps)],
    values: { token }
  } as const
  const links = [{ text: 'signIn', href: `${request.basePath}/signin` }] as const
  if (!isChosen) return show(request, 'choose', { text: 'chooseText', email, form, links })
  return show(request, 'confirm', { text: isKnown ? 'confirmExisting' : 'confirmText', email, form, links })
}

/** Verifies a mailed link: GET shows a page and changes nothing, as mail scanners open links. */
async function verifyLink(
  token: string,
  request: FeatureRequest,
  deps: PasswordDeps
): Promise<ProvenIdentity | ActionResult> {
  const linked = await readLinkedSignUp<SignUpPassword>(token, request, deps)
  if (linked === 'used') return showDone(request, 'used')
  if (linked === 'gone') return showGone(request, '/password/sign-up')
  const { signUp, isKnown, isSameBrowser } = linked
  // The password of a sign-up is discarded if the address has a user already.
  const isChosen = isKnown || (isSameBrowser && signUp.hash !== null)
  const shown = { token, isChosen, isKnown, passwordProblem: null, deps }
  if (request.method === 'GET') return showLink(request, signUp, shown)
  if (isChosen) return prove(signUp, isKnown ? null : signUp.hash, request, deps)
  const chosen = await readNewPassword(request, signUp.email, deps)
  if (chosen.kind === 'refused') return showLink(request, signUp, { ...shown, passwordProblem: chosen.problem })
  return prove(signUp, await (await deps.getHasher()).hash(chosen.password, request), request, deps)
}

/** The mailed link or code signs in, and creates the user. */
export function createSignUpMethod(deps: PasswordDeps): SignInMethod {
  return createMailedSignUpMethod(getMailDeps(deps), {
    name: 'Sign-up with a password',
    verifyCode: (code, request) => verifyCode(code, request, deps),
    verifyLink: (token, request) => verifyLink(token, request, deps)
  })
}
