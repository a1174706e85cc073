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
import { createCode, createToken, getTicketId, maxAge, normalizeCode, readTicket, sendTicket } from './mailed-token.ts'
import { describeTyped, readNewPassword } from './new-password.ts'
import { type PasswordDeps, passwordKey } from './password-deps.ts'
import { codeField, emailField, newPasswordField, nothingTyped, show, showGone, type TypedPassword } from './screens.ts'
import type { TextKey } from './texts.ts'

/** The id of the method that signs in with the mailed link or code. */
const methodId = 'password-sign-up'

/** Codes that are typed for one sign-up. */
const maxTries = 5

/** A sign-up that is not complete. */
interface SignUp {
  readonly email: string
  /** The hash of the password; `null` if the address has a user, or if no password was chosen. */
  readonly hash: string | null
  /** The hash of the code that was mailed; `null` if none was. */
  readonly code: string | null
}

/** The browser that has signed up, in its cookie. */
interface SignedUp {
  readonly ticketId: string
  readonly email: string
}

/** Another host must not set it: it decides whose password the link of a sign-up activates. */
const browserCookie = ({ context }: PasswordDeps) => context.cookie('sign-up', { maxAge, hasHostPrefix: true })

async function readBrowser(request: FeatureRequest, deps: PasswordDeps): Promise<SignedUp | null> {
  const text = await browserCookie(deps).read(request)
  return text === null ? null : JSON.parse(text)
}

/** What was typed, and why it was refused. */
interface Refusal {
  readonly email: string
  readonly emailProblem: TextKey | null
  readonly typed: TypedPassword
}

const nothing: Refusal = { email: '', emailProblem: null, typed: nothingTyped }

export function showSignUp(
  request: FeatureRequest,
  deps: PasswordDeps,
  { email, emailProblem, typed }: Refusal = nothing
): Promise<ActionResult> {
  const { basePath } = request
  return show(request, 'sign-up', {
    text: 'signUpText',
    form: {
      action: `${basePath}/password/sign-up`,
      submit: 'continue',
      fields: [emailField(email, emailProblem), newPasswordField('password', typed, deps)],
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
    return showSignUp(request, deps, { email: typed.slice(0, 320), emailProblem, typed: describeTyped(chosen) })
  }
  // It takes as long for every address.
  const hash = await (await getHasher()).hash(chosen.password, request)
  const user = await context.users.getUserByEmail(email)
  const ticketId = await mailSignUp({ email, hash: user ? null : hash }, request, {
    deps,
    isKnown: Boolean(user?.emailVerified)
  })
  const cookies = await browserCookie(deps).create(JSON.stringify({ ticketId, email } satisfies SignedUp), request)
  return redirect(`${request.origin}${request.basePath}/password/check-mail`, cookies)
}

/** @param options.isKnown - Whether the address has a user, who gets another mail. @returns The id of the ticket. */
async function mailSignUp(
  { email, hash }: Pick<SignUp, 'email' | 'hash'>,
  request: FeatureRequest,
  { deps: { context }, isKnown }: { readonly deps: PasswordDeps; readonly isKnown: boolean }
): Promise<string> {
  const token = createToken(context)
  const code = createCode(context)
  const id = await getTicketId('sign-up', token, context)
  const codeHash = await context.key('code').hash(`${id} ${code}`)
  const data: SignUp = { email, hash, code: isKnown ? null : codeHash }
  const base = `${request.origin}${request.basePath}`
  const url = isKnown ? `${base}/signin` : `${base}/callback/${methodId}?token=${token}`
  const ticket = { kind: 'sign-up', id, userId: null, data: JSON.stringify(data) } as const
  const values = { url, code: `${code.slice(0, 4)}-${code.slice(4)}` }
  await sendTicket({ ticket, to: email, mail: isKnown ? 'exists' : 'sign-up', values }, request, context)
  return id
}

/** Mails a link to the owner of an unverified address, which verifies it. */
export async function mailConfirmation(
  email: string,
  request: FeatureRequest,
  { context }: PasswordDeps
): Promise<void> {
  const token = createToken(context)
  const id = await getTicketId('sign-up', token, context)
  const data: SignUp = { email, hash: null, code: null }
  const ticket = { kind: 'sign-up', id, userId: null, data: JSON.stringify(data) } as const
  const url = `${request.origin}${request.basePath}/callback/${methodId}?token=${token}`
  await sendTicket({ ticket, to: email, mail: 'confirm', values: { url } }, request, context)
}

/** The page after a sign-up, on which the code is typed. */
export async function showCheckMail(
  request: FeatureRequest,
  deps: PasswordDeps,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const browser = await readBrowser(request, deps)
  const { basePath } = request
  if (!browser) return redirect(`${request.origin}${basePath}/password/sign-up`)
  return show(request, 'check-mail', {
    text: 'checkMailText',
    email: browser.email,
    form: {
      action: `${basePath}/callback/${methodId}`,
      submit: 'continue',
      fields: [codeField(problem)],
      values: {}
    },
    links: [{ text: 'startAgain', href: `${basePath}/password/sign-up` }]
  })
}

/** A sign-up of the store. */
interface StoredSignUp extends SignUp {
  readonly ticket: Ticket
}

const toStored = (ticket: Ticket): StoredSignUp => ({ ...JSON.parse(ticket.data), ticket })

/** The address is proven. A new user gets the password, if there is one. */
async function prove(
  { email, ticket }: StoredSignUp,
  hash: string | null,
  request: FeatureRequest,
  deps: PasswordDeps
): Promise<ProvenIdentity> {
  const newUserFactors: readonly NewUserFactor[] =
    hash === null ? [] : [{ type: passwordKey('').type, name: null, data: hash }]
  return {
    kind: 'identity',
    providerAccountId: email,
    user: { email },
    ticket: { kind: 'sign-up', id: ticket.id },
    newUserFactors,
    cookies: browserCookie(deps).clear(request)
  }
}

/** Verifies a code, which only the browser that has signed up can enter. */
async function verifyCode(
  typed: string,
  request: FeatureRequest,
  deps: PasswordDeps
): Promise<ProvenIdentity | ActionResult> {
  const { tickets, key } = deps.context
  const browser = await readBrowser(request, deps)
  const ticketKey = { kind: 'sign-up', id: browser?.ticketId ?? '' }
  const ticket = browser && (await tickets.read(ticketKey))
  const tries = ticket && (await tickets.countTry(ticketKey))
  if (!ticket || tries === null || tries > maxTries) return showGone(request, '/password/sign-up')
  const signUp = toStored(ticket)
  // Without a code too, it is compared: the response takes as long for every address.
  const isSame = await key('code').verify(`${ticket.id} ${normalizeCode(typed)}`, signUp.code ?? '')
  const isRight = isSame && signUp.code !== null
  return isRight ? prove(signUp, signUp.hash, request, deps) : showCheckMail(request, deps, 'codeWrong')
}

/** What the page of a mailed link shows. */
interface ShownLink {
  readonly token: string
  /** Whether no password is chosen on it. */
  readonly isChosen: boolean
  readonly isKnown: boolean
  readonly typed: TypedPassword
  readonly deps: PasswordDeps
}

/** Shows the page of a mailed link. A password is chosen in every browser but the one that has signed up. */
function showLink(
  request: FeatureRequest,
  { email }: SignUp,
  { token, isChosen, isKnown, typed, deps }: ShownLink
): Promise<ActionResult> {
  const form = {
    action: `${request.basePath}/callback/${methodId}`,
    submit: 'confirmSubmit',
    fields: isChosen ? [] : [newPasswordField('password', typed, deps)],
    values: { token }
  } as const
  if (!isChosen) return show(request, 'choose', { text: 'chooseText', email, form })
  return show(request, 'confirm', { text: isKnown ? 'confirmExisting' : 'confirmText', email, form })
}

/** Verifies a mailed link: GET shows a page and changes nothing, as mail scanners open links. */
async function verifyLink(
  token: string,
  request: FeatureRequest,
  deps: PasswordDeps
): Promise<ProvenIdentity | ActionResult> {
  const { context, getHasher } = deps
  const ticket = await readTicket('sign-up', token, context)
  if (!ticket) return showGone(request, '/password/sign-up')
  const signUp = toStored(ticket)
  const isKnown = (await context.users.getUserByEmail(signUp.email)) !== null
  const isSameBrowser = (await readBrowser(request, deps))?.ticketId === ticket.id
  // The password of a sign-up is discarded if the address has a user already.
  const isChosen = isKnown || (isSameBrowser && signUp.hash !== null)
  const shown = { token, isChosen, isKnown, typed: nothingTyped, deps }
  if (request.method === 'GET') return showLink(request, signUp, shown)
  if (isChosen) return prove(signUp, isKnown ? null : signUp.hash, request, deps)
  const chosen = await readNewPassword(request, signUp.email, deps)
  if (chosen.kind === 'refused') return showLink(request, signUp, { ...shown, typed: describeTyped(chosen) })
  return prove(signUp, await (await getHasher()).hash(chosen.password, request), request, deps)
}

/** The mailed link or code signs in, and creates the user. */
export function createSignUpMethod(deps: PasswordDeps): SignInMethod {
  return {
    id: methodId,
    name: 'Sign-up with a password',
    title: 'createAccount',
    type: 'email',
    hidden: true,
    accountPolicy: 'mailbox',
    callbackMethods: ['GET', 'POST'],
    start: (request) => redirect(`${request.origin}${request.basePath}/password/sign-up`),
    verify: (request) => {
      const code = getText(request.body, 'code')
      if (request.method !== 'GET' && code !== null) return verifyCode(code, request, deps)
      const fields = request.method === 'GET' ? request.query : request.body
      return verifyLink(getText(fields, 'token') ?? '', request, deps)
    }
  }
}
