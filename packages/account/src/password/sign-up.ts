import {
  type ActionResult,
  type FeatureRequest,
  getText,
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
  mailConfirmationLink,
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
import { readNewPassword } from './new-password.ts'
import { type PasswordSetup, passwordKey } from './password-setup.ts'
import { codeField, emailField, newPasswordField, show, showDone, showGone } from './screens.ts'
import { createStoredPassword } from './stored-password.ts'
import type { TextKey } from './texts.ts'

/** What the ticket of a sign-up contains for a new user. */
interface SignUpPassword {
  /** The hash of the password; `null` if the address has a user who has verified it, or if no password was chosen. */
  readonly hash: string | null
  /** What was typed into the fields of the application; sign-ups without them have none. */
  readonly values?: SignUpValues
}

/** Where a visitor whose link no longer works begins again: without a sign-up, only unverified users get such links. */
const getStartPath = ({ hasSignUp }: PasswordSetup) => (hasSignUp ? '/password/sign-up' : '/password/forgot')

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

export function showSignUp(
  request: FeatureRequest,
  setup: PasswordSetup,
  { email, emailProblem, passwordProblem, fields, problem }: Refusal = nothing
): Promise<ActionResult> {
  const { basePath } = request
  const { ownFields, texts } = showFields(setup.signUpFields, fields)
  return show(request, 'sign-up', {
    text: 'signUpText',
    problem,
    texts,
    form: {
      action: `${basePath}/password/sign-up`,
      submit: 'continue',
      fields: [emailField(email, emailProblem), newPasswordField('password', passwordProblem, setup)],
      ownFields,
      captcha: showCaptcha(setup.captcha),
      values: {}
    },
    links: [{ text: 'signIn', href: `${basePath}/signin` }]
  })
}

/** Stores the sign-up and mails its link. If the address has a user, only a mail to its owner says so. */
export async function startSignUp(request: FeatureRequest, setup: PasswordSetup): Promise<ActionResult> {
  const { context, getHasher, captcha } = setup
  const typed = getText(request.body, 'email') ?? ''
  if (!(await isByPerson(request, captcha, context)))
    return showSignUp(request, setup, {
      ...nothing,
      email: typed.slice(0, 320),
      problem: 'captchaFailed',
      fields: keepFields(request.body, setup.signUpFields)
    })
  const email = normalizeEmailAddress(typed)
  const chosen = await readNewPassword(request, email ?? '', setup)
  const fields = await readFields(request.body, setup.signUpFields)
  if (email === null || chosen.kind === 'refused' || hasProblems(fields)) {
    const emailProblem = email === null ? explainAddress(typed) : null
    const passwordProblem = chosen.kind === 'refused' ? chosen.problem : null
    return showSignUp(request, setup, {
      email: typed.slice(0, 320),
      emailProblem,
      passwordProblem,
      fields,
      problem: null
    })
  }
  // It takes as long for every address.
  const hash = await (await getHasher()).hash(chosen.password, request)
  const user = await context.users.getUserByEmail(email)
  const signUp = { email, hash: user?.emailVerified ? null : hash, values: fields.values }
  return mailSignUp(signUp, request, { setup, user })
}

/** Mails a link to the owner of an unverified address, which verifies it. */
export function mailConfirmation(email: string, request: FeatureRequest, setup: PasswordSetup): Promise<void> {
  return mailConfirmationLink({ email, hash: null }, request, setup)
}

/** The page after a sign-up, on which the code is typed. */
export async function showCheckMail(
  request: FeatureRequest,
  setup: PasswordSetup,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const browser = await readSignedUp(request, setup)
  const { basePath } = request
  if (!browser) return redirect(`${request.origin}${basePath}${getStartPath(setup)}`)
  return show(request, 'check-mail', {
    text: 'checkMailText',
    email: browser.email,
    form: {
      action: getCallbackPath(request, setup),
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
  setup: PasswordSetup
): ProvenIdentity {
  const factors =
    hash === null
      ? []
      : [{ type: passwordKey('').type, name: null, data: createStoredPassword(hash, setup.context.randomBytes) }]
  const proven = proveSignUp(signUp, factors, request, setup)
  return { ...proven, user: { ...signUp.values, ...proven.user } }
}

async function verifyCode(
  typed: string,
  request: FeatureRequest,
  setup: PasswordSetup
): Promise<ProvenIdentity | ActionResult> {
  const signUp = await verifySignUpCode<SignUpPassword>(typed, request, setup)
  if (signUp === 'used') return showDone(request, 'used')
  if (signUp === 'gone') return showGone(request, getStartPath(setup))
  if (signUp === 'wrong') return showCheckMail(request, setup, 'codeWrong')
  const isKnown = await isOfKnownUser(signUp, setup)
  if (!isKnown || getText(request.body, 'confirmed') !== null)
    return prove(signUp, isKnown ? null : signUp.hash, request, setup)
  const values = { code: typed, confirmed: 'true' }
  return showConfirm(request, signUp, { text: 'confirmUnused', values }, setup)
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
  setup: PasswordSetup
): Promise<ActionResult> {
  const form = {
    action: getCallbackPath(request, setup),
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
  setup: PasswordSetup
): Promise<ActionResult> {
  const { ownFields, texts } = showFields(setup.signUpFields, shown)
  const form = {
    action: getCallbackPath(request, setup),
    submit: 'confirmSubmit',
    fields: [newPasswordField('password', problem, setup)],
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
  setup: PasswordSetup
): Promise<ProvenIdentity | ActionResult> {
  const linked = await readLinkedSignUp<SignUpPassword>(token, request, setup)
  if (linked === 'used') return showDone(request, 'used')
  if (linked === 'gone') return showGone(request, getStartPath(setup))
  const { signUp, isKnown, isSameBrowser } = linked
  const isShown = request.method === 'GET'
  // The password of a sign-up is discarded if the address belongs to a user already.
  if (isKnown || (isSameBrowser && signUp.hash !== null)) {
    const known = signUp.hash === null ? 'confirmExisting' : 'confirmUnused'
    const shown = { text: isKnown ? known : 'confirmText', values: { token } } as const
    return isShown
      ? showConfirm(request, signUp, shown, setup)
      : prove(signUp, isKnown ? null : signUp.hash, request, setup)
  }
  if (isShown) return showChoice(request, signUp, { token, problem: null, shown: noFields }, setup)
  const [chosen, shown] = [
    await readNewPassword(request, signUp.email, setup),
    // Somebody else may have typed those of the sign-up.
    await readFields(request.body, setup.signUpFields)
  ]
  const problem = chosen.kind === 'refused' ? chosen.problem : null
  if (chosen.kind === 'refused' || hasProblems(shown))
    return showChoice(request, signUp, { token, problem, shown }, setup)
  const hash = await (await setup.getHasher()).hash(chosen.password, request)
  return prove({ ...signUp, values: shown.values }, hash, request, setup)
}

/** The mailed link or code signs in, and creates the user. */
export function createSignUpMethod(setup: PasswordSetup): SignInMethod {
  return createMailedSignUpMethod(setup, {
    name: 'Sign-up with a password',
    startPath: setup.hasSignUp ? '/password/sign-up' : '/signin',
    verifyCode: (code, request) => verifyCode(code, request, setup),
    verifyLink: (token, request) => verifyLink(token, request, setup)
  })
}
