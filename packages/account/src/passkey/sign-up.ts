import {
  type ActionResult,
  type FeatureRequest,
  getText,
  type NewUserFactor,
  normalizeEmailAddress,
  type ProvenIdentity,
  redirect,
  type SignInMethod,
  type Ticket
} from '@postern/core/feature'
import {
  createCode,
  createToken,
  getTicketId,
  maxAge,
  normalizeCode,
  readTicket,
  sendTicket
} from '../password/mailed-token.ts'
import { getAuthenticatorName } from './authenticator-names.ts'
import { issueSignUpOptions } from './new-passkey.ts'
import type { PasskeyDeps } from './passkey-deps.ts'
import { findPasskey } from './passkeys.ts'
import { readNewPasskey } from './read-new-passkey.ts'
import type { SignUpField } from './sign-up-props.ts'
import { showGone, showSignUpScreen } from './sign-up-screens.ts'
import { factorType, getPasskeyId, type PasskeyData } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** The id of the method that signs in with the mailed link or code. */
const methodId = 'passkey-sign-up'

/** Codes that are typed for one sign-up. */
const maxTries = 5

/** The challenge of a new passkey was issued to a browser, not to a user. */
const purpose = { use: 'sign-up', userId: null } as const

/** A sign-up that is not complete. */
interface SignUp {
  readonly email: string
  /** `null` if the address has a user. */
  readonly passkey: PasskeyData | null
  /** The hash of the code that was mailed; `null` if none was. */
  readonly code: string | null
}

/** The browser that has signed up, in its cookie. */
interface SignedUp {
  readonly ticketId: string
  readonly email: string
}

/** Another host must not set it: it decides whose passkey the link of a sign-up activates. */
const browserCookie = ({ context }: PasskeyDeps) => context.cookie('sign-up', { maxAge, hasHostPrefix: true })

async function readBrowser(request: FeatureRequest, deps: PasskeyDeps): Promise<SignedUp | null> {
  const text = await browserCookie(deps).read(request)
  return text === null ? null : JSON.parse(text)
}

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
    return showSignUp(request, deps, { ...nothing, email: typed.slice(0, 320), emailProblem: 'emailInvalid' })
  // Whether the address has a user is not known before the passkey is verified: it takes as long for every address.
  const read = await readNewPasskey(purpose, request, deps)
  if ('problem' in read) return showSignUp(request, deps, { ...nothing, email, problem: read.problem })
  const user = await deps.context.users.getUserByEmail(email)
  const signUp = { email, passkey: user ? null : read.data }
  const ticketId = await mailSignUp(signUp, request, { deps, isKnown: Boolean(user?.emailVerified) })
  const cookies = await browserCookie(deps).create(JSON.stringify({ ticketId, email } satisfies SignedUp), request)
  return redirect(`${request.origin}${request.basePath}/passkey/check-mail`, cookies)
}

/** @param options.isKnown - Whether the address has a user, who gets another mail. @returns The id of the ticket. */
async function mailSignUp(
  { email, passkey }: Pick<SignUp, 'email' | 'passkey'>,
  request: FeatureRequest,
  { deps: { context }, isKnown }: { readonly deps: PasskeyDeps; readonly isKnown: boolean }
): Promise<string> {
  const token = createToken(context)
  const code = createCode(context)
  const id = await getTicketId('sign-up', token, context)
  const codeHash = await context.key('code').hash(`${id} ${code}`)
  const data: SignUp = { email, passkey, code: isKnown ? null : codeHash }
  const base = `${request.origin}${request.basePath}`
  const url = isKnown ? `${base}/signin` : `${base}/callback/${methodId}?token=${token}`
  const ticket = { kind: 'sign-up', id, userId: null, data: JSON.stringify(data) } as const
  const values = { url, code: `${code.slice(0, 4)}-${code.slice(4)}` }
  await sendTicket({ ticket, to: email, mail: isKnown ? 'exists' : 'sign-up', values }, request, context)
  return id
}

/** The page after a sign-up, on which the code is typed. */
export async function showCheckMail(
  request: FeatureRequest,
  deps: PasskeyDeps,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const browser = await readBrowser(request, deps)
  const { basePath } = request
  if (!browser) return redirect(`${request.origin}${basePath}/passkey/sign-up`)
  const field: SignUpField = { name: 'code', value: '', problem }
  return showSignUpScreen(request, 'check-mail', {
    text: 'checkMailText',
    email: browser.email,
    form: { action: `${basePath}/callback/${methodId}`, submit: 'continue', field, options: null, values: {} },
    link: { text: 'startAgain', href: `${basePath}/passkey/sign-up` }
  })
}

/** A sign-up of the store. */
interface StoredSignUp extends SignUp {
  readonly ticket: Ticket
}

const toStored = (ticket: Ticket): StoredSignUp => ({ ...JSON.parse(ticket.data), ticket })

async function toNewUserFactor(passkey: PasskeyData): Promise<NewUserFactor> {
  const name = await getAuthenticatorName(passkey.aaguid)
  return { type: factorType, id: await getPasskeyId(passkey.credentialId), name, data: JSON.stringify(passkey) }
}

/** The address is proven. A new user gets the passkey, if there is one; one that was added meanwhile is refused. */
async function prove(
  { email, ticket }: StoredSignUp,
  passkey: PasskeyData | null,
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<ProvenIdentity | ActionResult> {
  if (passkey && (await findPasskey(passkey.credentialId, deps))) return showGone(request)
  return {
    kind: 'identity',
    providerAccountId: email,
    user: { email },
    ticket: { kind: 'sign-up', id: ticket.id },
    newUserFactors: passkey ? [await toNewUserFactor(passkey)] : [],
    cookies: browserCookie(deps).clear(request)
  }
}

/** Whether the address has a user, so that the passkey of the sign-up is discarded. */
async function hasUser({ email }: SignUp, { context: { users } }: PasskeyDeps): Promise<boolean> {
  return (await users.getUserByEmail(email)) !== null
}

/** Verifies a code, which only the browser that has signed up can enter. */
async function verifyCode(
  typed: string,
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<ProvenIdentity | ActionResult> {
  const { tickets, key } = deps.context
  const browser = await readBrowser(request, deps)
  const ticketKey = { kind: 'sign-up', id: browser?.ticketId ?? '' }
  const ticket = browser && (await tickets.read(ticketKey))
  const tries = ticket && (await tickets.countTry(ticketKey))
  if (!ticket || tries === null || tries > maxTries) return showGone(request)
  const signUp = toStored(ticket)
  // Without a code too, it is compared: the response takes as long for every address.
  const isSame = await key('code').verify(`${ticket.id} ${normalizeCode(typed)}`, signUp.code ?? '')
  const isRight = isSame && signUp.code !== null
  if (!isRight) return showCheckMail(request, deps, 'codeWrong')
  return prove(signUp, (await hasUser(signUp, deps)) ? null : signUp.passkey, request, deps)
}

/** Shows the page of a mailed link that needs nothing but a button. */
function showConfirm(
  request: FeatureRequest,
  { email }: SignUp,
  { token, isKnown }: { readonly token: string; readonly isKnown: boolean }
): Promise<ActionResult> {
  const action = `${request.basePath}/callback/${methodId}`
  const form = { action, submit: 'confirmSubmit', field: null, options: null, values: { token } } as const
  return showSignUpScreen(request, 'confirm', { text: isKnown ? 'confirmExisting' : 'confirmText', email, form })
}

/** Shows the page of a mailed link in another browser, which creates a passkey of its own. */
async function showCreate(
  request: FeatureRequest,
  { email }: SignUp,
  { token, problem }: { readonly token: string; readonly problem: TextKey | null },
  deps: PasskeyDeps
): Promise<ActionResult> {
  const { options, cookies } = await issueSignUpOptions(email, request, deps)
  const action = `${request.basePath}/callback/${methodId}`
  const form = { action, submit: 'createPasskey', field: null, options, values: { token } } as const
  return showSignUpScreen(request, 'create', { text: 'createText', email, form, problem, cookies })
}

/** Verifies a mailed link: GET shows a page and changes nothing, as mail scanners open links. */
async function verifyLink(
  token: string,
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<ProvenIdentity | ActionResult> {
  const ticket = await readTicket('sign-up', token, deps.context)
  if (!ticket) return showGone(request)
  const signUp = toStored(ticket)
  const isKnown = await hasUser(signUp, deps)
  const isSameBrowser = (await readBrowser(request, deps))?.ticketId === ticket.id
  const isShown = request.method === 'GET'
  if (isKnown || (isSameBrowser && signUp.passkey !== null))
    return isShown
      ? showConfirm(request, signUp, { token, isKnown })
      : prove(signUp, isKnown ? null : signUp.passkey, request, deps)
  if (isShown) return showCreate(request, signUp, { token, problem: null }, deps)
  const read = await readNewPasskey(purpose, request, deps)
  if ('problem' in read) return showCreate(request, signUp, { token, problem: read.problem }, deps)
  return prove(signUp, read.data, request, deps)
}

/** The mailed link or code signs in, and creates the user. */
export function createSignUpMethod(deps: PasskeyDeps): SignInMethod {
  return {
    id: methodId,
    name: 'Sign-up with a passkey',
    title: 'createAccount',
    type: 'email',
    hidden: true,
    accountPolicy: 'mailbox',
    callbackMethods: ['GET', 'POST'],
    start: (request) => redirect(`${request.origin}${request.basePath}/passkey/sign-up`),
    verify: (request) => {
      const code = getText(request.body, 'code')
      if (request.method !== 'GET' && code !== null) return verifyCode(code, request, deps)
      const fields = request.method === 'GET' ? request.query : request.body
      return verifyLink(getText(fields, 'token') ?? '', request, deps)
    }
  }
}
