import {
  type ActionResult,
  type FeatureContext,
  type FeatureRequest,
  getText,
  type NewUserFactor,
  type ProvenIdentity,
  redirect,
  type SignInMethod,
  type SignUpPolicy,
  type Ticket,
  type User
} from '@postern/core/feature'
import {
  createCode,
  createToken,
  getTicketId,
  isUsed,
  maxAge,
  normalizeCode,
  readTicket,
  sendTicket,
  storeTicket,
  type TicketMail,
  toUsedLink,
  wasUsed
} from './mailed-token.ts'
import { withMinDuration } from './min-duration.ts'

/** Codes that are typed for one sign-up. */
const maxTries = 5

/** What the sign-ups of a feature depend on. */
export interface MailedSignUps {
  /** The id of the feature, which its paths begin with. */
  readonly feature: 'passkey' | 'password'
  readonly context: FeatureContext
  /** Whether a user may be created with an address; `null` if any may. */
  readonly maySignUp: MaySignUp
}

/** A sign-up that is not complete, to which the feature adds what the new user gets. */
interface SignUp {
  readonly email: string
  /** The hash of the code that was mailed; `null` if none was. */
  readonly code: string | null
}

/** A sign-up of the store. */
export type StoredSignUp<T> = T & SignUp & { readonly ticket: Ticket }

function toStored<T>(ticket: Ticket): StoredSignUp<T> {
  return { ...JSON.parse(ticket.data), ticket }
}

/** The browser that has signed up, in its cookie. */
interface SignedUp {
  readonly ticketId: string
  readonly email: string
}

/** An option that is a function: whether a user may be created with an address; `null` if any may. */
export type MaySignUp = ((email: string) => Promise<boolean>) | null

/** @param signUp - The option of the feature. A function that returns anything but `true` refuses the address. */
export function createMaySignUp(signUp: SignUpPolicy, { withTimeout }: FeatureContext): MaySignUp {
  if (typeof signUp !== 'function') return signUp ? null : async () => false
  return async (email) => (await withTimeout('signUp', async () => signUp(email))) === true
}

/** Another host must not set it: it decides what the link of a sign-up activates. */
const browserCookie = ({ context }: MailedSignUps) => context.cookie('sign-up', { maxAge, hasHostPrefix: true })

/** The sign-up of this browser. @returns `null` if it has not signed up. */
export async function readSignedUp(request: FeatureRequest, setup: MailedSignUps): Promise<SignedUp | null> {
  const text = await browserCookie(setup).read(request)
  return text === null ? null : JSON.parse(text)
}

/** The id of the method that signs in with the mailed link or code. */
const getMethodId = ({ feature }: MailedSignUps): string => `${feature}-sign-up`

/** The path of the form of a mailed code or link. */
export const getCallbackPath = ({ basePath }: FeatureRequest, setup: MailedSignUps): string =>
  `${basePath}/callback/${getMethodId(setup)}`

/** What a mail with a link contains. */
interface LinkMail {
  readonly id: string
  readonly mail: string
  readonly data: SignUp
  readonly values: Readonly<Record<string, string>>
}

const toTicketMail = ({ id, mail, data, values }: LinkMail): TicketMail => ({
  ticket: { kind: 'sign-up', id, userId: null, data: JSON.stringify(data) },
  to: data.email,
  mail,
  values
})

/**
 * Stores the ticket of a sign-up for which an address may be refused. Only those that are not get the mail, in the background: its time, and
 * that of a mail server that does not respond, would show which they are.
 */
async function sendUnlessRefused(
  mail: LinkMail,
  isStored: boolean,
  request: FeatureRequest,
  { context, maySignUp }: MailedSignUps
): Promise<void> {
  const { to, mail: name, values, ticket } = toTicketMail(mail)
  // It is asked for the address of a user too.
  const isAllowed = (await maySignUp?.(to)) ?? true
  await storeTicket(ticket, context)
  if (isAllowed || isStored) context.notify(to, name, values, { request })
}

/** The user with the address of a sign-up. */
type StoredUser = Pick<User, 'emailVerified'> | null

/**
 * Stores a sign-up and mails its link and code. If the address has a user, only a mail to its owner says so.
 *
 * @param options.user - The user with the address, who gets another mail if it is verified.
 * @returns The redirect to the page on which the code is typed.
 */
export async function mailSignUp<T extends Pick<SignUp, 'email'>>(
  signUp: T,
  request: FeatureRequest,
  { setup, user }: { readonly setup: MailedSignUps; readonly user: StoredUser }
): Promise<ActionResult> {
  const { context, feature } = setup
  const { email } = signUp
  const isKnown = Boolean(user?.emailVerified)
  const token = createToken(context)
  const code = createCode(context)
  const ticketId = await getTicketId('sign-up', token, context)
  const codeHash = await context.key('code').hash(`${ticketId} ${code}`)
  const url = isKnown ? `${request.basePath}/signin` : `${getCallbackPath(request, setup)}?token=${token}`
  const values = { url: `${request.origin}${url}`, code: `${code.slice(0, 4)}-${code.slice(4)}` }
  const data = { ...signUp, code: isKnown ? null : codeHash }
  const mail = { id: ticketId, mail: isKnown ? 'exists' : 'sign-up', data, values }
  if (setup.maySignUp) await withMinDuration(() => sendUnlessRefused(mail, user !== null, request, setup))
  else await sendTicket(toTicketMail(mail), request, context)
  const cookies = await browserCookie(setup).create(JSON.stringify({ ticketId, email } satisfies SignedUp), request)
  return redirect(`${request.origin}${request.basePath}/${feature}/check-mail`, cookies)
}

/** Mails a link to the owner of an unverified address, which verifies it. @param signUp - Adds nothing to a new user. */
export async function mailConfirmationLink<T extends Pick<SignUp, 'email'>>(
  signUp: T,
  request: FeatureRequest,
  setup: MailedSignUps
): Promise<void> {
  const token = createToken(setup.context)
  const id = await getTicketId('sign-up', token, setup.context)
  const url = `${request.origin}${getCallbackPath(request, setup)}?token=${token}`
  const mail = { id, mail: 'confirm', data: { ...signUp, code: null }, values: { url } }
  await sendTicket(toTicketMail(mail), request, setup.context)
}

/**
 * Verifies a code, which only the browser that has signed up can enter.
 *
 * @returns `'used'` if the sign-up is complete; `'gone'` if it has ended otherwise, or after too many codes.
 */
export async function verifySignUpCode<T>(
  typed: string,
  request: FeatureRequest,
  setup: MailedSignUps
): Promise<StoredSignUp<T> | 'wrong' | 'gone' | 'used'> {
  const { tickets, key } = setup.context
  const browser = await readSignedUp(request, setup)
  const ticketKey = { kind: 'sign-up', id: browser?.ticketId ?? '' }
  const ticket = browser && (await tickets.read(ticketKey))
  if (!ticket) return browser && (await isUsed([browser.ticketId], setup.context)) ? 'used' : 'gone'
  const tries = await tickets.countTry(ticketKey)
  if (tries === null || tries > maxTries) return 'gone'
  const signUp = toStored<T>(ticket)
  // Without a code too, it is compared: the response takes as long for every address.
  const isSame = await key('code').verify(`${ticket.id} ${normalizeCode(typed)}`, signUp.code ?? '')
  return isSame && signUp.code !== null ? signUp : 'wrong'
}

/**
 * Whether the address of a sign-up belongs to a user already. One whose address is not verified, such as an invited one, gets what the
 * sign-up would give a new user, unless the link only verifies the address.
 */
export async function isOfKnownUser(
  { email, code }: StoredSignUp<unknown>,
  { context }: MailedSignUps
): Promise<boolean> {
  const user = await context.users.getUserByEmail(email)
  return user !== null && (Boolean(user.emailVerified) || code === null)
}

/** The sign-up of a mailed link. */
interface LinkedSignUp<T> {
  readonly signUp: StoredSignUp<T>
  /** Whether the address belongs to a user, who gets nothing of what the sign-up would give a new user. */
  readonly isKnown: boolean
  /** Whether this browser has signed up. */
  readonly isSameBrowser: boolean
}

/** Reads the sign-up of a mailed link. @returns `'used'` if it is complete; `'gone'` if it has expired, or if the token is unknown. */
export async function readLinkedSignUp<T>(
  token: string,
  request: FeatureRequest,
  setup: MailedSignUps
): Promise<LinkedSignUp<T> | 'used' | 'gone'> {
  const ticket = await readTicket('sign-up', token, setup.context)
  if (!ticket) return (await wasUsed('sign-up', token, setup.context)) ? 'used' : 'gone'
  const signUp = toStored<T>(ticket)
  const isKnown = await isOfKnownUser(signUp, setup)
  const isSameBrowser = (await readSignedUp(request, setup))?.ticketId === ticket.id
  return { signUp, isKnown, isSameBrowser }
}

/** The address of a sign-up is proven. @param newUserFactors - What a new user gets, or one whose address was not verified. */
export function proveSignUp(
  { email, ticket }: StoredSignUp<unknown>,
  newUserFactors: readonly NewUserFactor[],
  request: FeatureRequest,
  setup: MailedSignUps
): ProvenIdentity {
  return {
    kind: 'identity',
    providerAccountId: email,
    user: { email },
    ticket: { kind: 'sign-up', id: ticket.id },
    usedTicket: toUsedLink(ticket),
    newUserFactors,
    cookies: browserCookie(setup).clear(request)
  }
}

/** How a feature verifies a typed code, and the token of a link. */
interface SignUpVerification {
  readonly name: string
  /** The path of the page on which a sign-up begins. */
  readonly startPath: string
  readonly verifyCode: (code: string, request: FeatureRequest) => Promise<ProvenIdentity | ActionResult>
  /** GET shows a page and changes nothing, as mail scanners open links. */
  readonly verifyLink: (token: string, request: FeatureRequest) => Promise<ProvenIdentity | ActionResult>
}

/** The mailed link or code signs in, and creates the user. */
export function createMailedSignUpMethod(
  setup: MailedSignUps,
  { name, startPath, verifyCode, verifyLink }: SignUpVerification
): SignInMethod {
  return {
    id: getMethodId(setup),
    name,
    title: 'createAccount',
    type: 'email',
    hidden: true,
    accountPolicy: 'mailbox',
    // The owner of an address that has a user gets a mail without a link that signs in.
    admitsMailboxOwner: false,
    callbackMethods: ['GET', 'POST'],
    maySignUp: setup.maySignUp,
    start: (request) => redirect(`${request.origin}${request.basePath}${startPath}`),
    verify: (request) => {
      const code = getText(request.body, 'code')
      if (request.method !== 'GET' && code !== null) return verifyCode(code, request)
      const fields = request.method === 'GET' ? request.query : request.body
      return verifyLink(getText(fields, 'token') ?? '', request)
    }
  }
}
