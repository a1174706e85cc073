import {
  type ActionResult,
  type FeatureRequest,
  getText,
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
  mailConfirmationLink,
  mailSignUp,
  proveSignUp,
  readLinkedSignUp,
  readSignedUp,
  type StoredSignUp,
  verifySignUpCode
} from '../mail/mailed-sign-up.ts'
import { isByPerson, showCaptcha } from './captcha.ts'
import { readNewPassword } from './new-password.ts'
import { type PasswordDeps, passwordKey } from './password-deps.ts'
import { codeField, emailField, newPasswordField, show, showDone, showGone } from './screens.ts'
import { noFields, type ReadFields, readFields, type SignUpValues, showFields } from './sign-up-fields.ts'
import { createStoredPassword } from './stored-password.ts'
import type { TextKey } from './texts.ts'

/** What the ticket of a sign-up contains for a new user. */
interface SignUpPassword {
  /** The hash of the password; `null` if the address has a user who has verified it, or if no password was chosen. */
  readonly hash: string | null
  /** What was typed into the fields of the application; sign-ups without them have none. */
  readonly values?: SignUpValues
}

const getMailDeps = ({ context, maySignUp }: PasswordDeps): MailedSignUpDeps => ({
  ...{ feature: 'password', context, maySignUp }
})

/** Where a visitor whose link no longer works begins again: without a sign-up, only unverified users get such links. */
const getStartPath = ({ hasSignUp }: PasswordDeps) => (hasSignUp ? '/password/sign-up' : '/password/forgot')

/** What was typed, and why it was refused. */
interface Refusal {
  readonly email: string
  readonly emailProblem: TextKey | null
  readonly passwordProblem: TextKey | null
  readonly fields: ReadFields
  /** Why the form was refused, if no field is the reason. */
  readonly problem: TextKey | null
}

const nothing: Refusal = { email: '', emailProblem: null, passwordProblem: null, fields: noFields, problem: null }

const hasProblems = ({ problems }: ReadFields): boolean => Object.keys(problems).length > 0

export function showSignUp(
  request: FeatureRequest,
  deps: PasswordDeps,
  { email, emailProblem, passwordProblem, fields, problem }: Refusal = nothing
): Promise<ActionResult> {
  const { basePath } = request
  const { ownFields, texts } = showFields(deps.signUpFields, fields)
  return show(request, 'sign-up', {
    text: 'signUpText',
    problem,
    texts,
    form: {
      action: `${basePath}/password/sign-up`,
      submit: 'continue',
      fields: [emailField(email, emailProblem), newPasswordField('password', passwordProblem, deps)],
      ownFields,
      captcha: showCaptcha(deps.captcha),
      values: {}
    },
    links: [{ text: 'signIn', href: `${basePath}/signin` }]
  })
}

/** Stores the sign-up and mails its link. If the address has a user, only a mail to its owner says so. */
export async function startSignUp(request: FeatureRequest, deps: PasswordDeps): Promise<ActionResult> {
  const { context, getHasher, captcha } = deps
  const typed = getText(request.body, 'email') ?? ''
  if (!(await isByPerson(request, captcha, context)))
    return showSignUp(request, deps, { ...nothing, email: typed.slice(0, 320), problem: 'captchaFailed' })
  const email = normalizeEmailAddress(typed)
  const chosen = await readNewPassword(request, email ?? '', deps)
  const fields = await readFields(request.body, deps.signUpFields)
  if (email === null || chosen.kind === 'refused' || hasProblems(fields)) {
    const emailProblem = email === null ? explainAddress(typed) : null
    const passwordProblem = chosen.kind === 'refused' ? chosen.problem : null
    return showSignUp(request, deps, {
      ...{ email: typed.slice(0, 320), emailProblem, passwordProblem, fields, problem: null }
    })
  }
  // It takes as long for every address.
  const hash = await (await getHasher()).hash(chosen.password, request)
  const user = await context.users.getUserByEmail(email)
  const signUp = { email, hash: user?.emailVerified ? null : hash, values: fields.values }
  return mailSignUp(signUp, request, { deps: getMailDeps(deps), user })
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
  if (!browser) return redirect(`${request.origin}${basePath}${getStartPath(deps)}`)
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

/** The address is proven. A new user, or one whose address was not verified, gets the password, if there is one. */
function prove(
  signUp: StoredSignUp<SignUpPassword>,
  hash: string | null,
  request: FeatureRequest,
  deps: PasswordDeps
): ProvenIdentity {
  const factors =
    hash === null ? [] : [{ type: passwordKey('').type, name: null, data: createStoredPassword(hash, deps.context) }]
  const proven = proveSignUp(signUp, factors, request, deps)
  return { ...proven, user: { ...signUp.values, ...proven.user } }
}

async function verifyCode(
  typed: string,
  request: FeatureRequest,
  deps: PasswordDeps
): Promise<ProvenIdentity | ActionResult> {
  const signUp = await verifySignUpCode<SignUpPassword>(typed, request, deps)
  if (signUp === 'used') return showDone(request, 'used')
  if (signUp === 'gone') return showGone(request, getStartPath(deps))
  if (signUp === 'wrong') return showCheckMail(request, deps, 'codeWrong')
  const isKnown = await isOfKnownUser(signUp, deps)
  if (!isKnown || getText(request.body, 'confirmed') !== null)
    return prove(signUp, isKnown ? null : signUp.hash, request, deps)
  const values = { code: typed, confirmed: 'true' }
  return showConfirm(request, signUp, { text: 'confirmUnused', values }, deps)
}

/** The page that signs in with a button. */
interface ShownConfirmation {
  readonly text: TextKey
  readonly values: Readonly<Record<string, string>>
}

function showConfirm(
  request: FeatureRequest,
  { email }: StoredSignUp<SignUpPassword>,
  { text, values }: ShownConfirmation,
  deps: PasswordDeps
): Promise<ActionResult> {
  const form = {
    action: getCallbackPath(request, getMailDeps(deps)),
    submit: 'confirmSubmit',
    fields: [],
    values
  } as const
  return show(request, 'confirm', {
    text,
    email,
    form,
    links: [{ text: 'signIn', href: `${request.basePath}/signin` }]
  })
}

/** Shows the page of a mailed link on which a password is chosen: in every browser but the one that has signed up. */
function showChoice(
  request: FeatureRequest,
  { email }: StoredSignUp<SignUpPassword>,
  { token, problem, shown }: { readonly token: string; readonly problem: TextKey | null; readonly shown: ReadFields },
  deps: PasswordDeps
): Promise<ActionResult> {
  const { ownFields, texts } = showFields(deps.signUpFields, shown)
  const form = {
    action: getCallbackPath(request, getMailDeps(deps)),
    submit: 'confirmSubmit',
    fields: [newPasswordField('password', problem, deps)],
    ownFields,
    values: { token }
  } as const
  const links = [{ text: 'signIn', href: `${request.basePath}/signin` }] as const
  return show(request, 'choose', { text: 'chooseText', texts, email, form, links })
}

/** Verifies a mailed link: GET shows a page and changes nothing, as mail scanners open links. */
async function verifyLink(
  token: string,
  request: FeatureRequest,
  deps: PasswordDeps
): Promise<ProvenIdentity | ActionResult> {
  const linked = await readLinkedSignUp<SignUpPassword>(token, request, deps)
  if (linked === 'used') return showDone(request, 'used')
  if (linked === 'gone') return showGone(request, getStartPath(deps))
  const { signUp, isKnown, isSameBrowser } = linked
  const isShown = request.method === 'GET'
  // The password of a sign-up is discarded if the address belongs to a user already.
  if (isKnown || (isSameBrowser && signUp.hash !== null)) {
    const known = signUp.hash === null ? 'confirmExisting' : 'confirmUnused'
    const shown = { text: isKnown ? known : 'confirmText', values: { token } } as const
    return isShown
      ? showConfirm(request, signUp, shown, deps)
      : prove(signUp, isKnown ? null : signUp.hash, request, deps)
  }
  if (isShown) return showChoice(request, signUp, { token, problem: null, shown: noFields }, deps)
  const [chosen, shown] = [
    await readNewPassword(request, signUp.email, deps),
    // Somebody else may have typed those of the sign-up.
    await readFields(request.body, deps.signUpFields)
  ]
  const problem = chosen.kind === 'refused' ? chosen.problem : null
  if (chosen.kind === 'refused' || hasProblems(shown))
    return showChoice(request, signUp, { token, problem, shown }, deps)
  const hash = await (await deps.getHasher()).hash(chosen.password, request)
  return prove({ ...signUp, values: shown.values }, hash, request, deps)
}

/** The mailed link or code signs in, and creates the user. */
export function createSignUpMethod(deps: PasswordDeps): SignInMethod {
  return createMailedSignUpMethod(getMailDeps(deps), {
    name: 'Sign-up with a password',
    startPath: deps.hasSignUp ? '/password/sign-up' : '/signin',
    verifyCode: (code, request) => verifyCode(code, request, deps),
    verifyLink: (token, request) => verifyLink(token, request, deps)
  })
}
