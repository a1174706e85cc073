import {
  type ActionResult,
  createMailedCode,
  type FeatureContext,
  type FeatureRequest,
  type FeatureRoute,
  getText,
  type NewUserFactor,
  normalizeEmailAddress,
  normalizeMailedCode,
  type ProvenIdentity,
  redirect,
  type SignInMethod,
  type SignUpPolicy,
  type Ticket,
  type User
} from '@postern/core/feature'
import { type AddressProblem, explainAddress } from '../address-problem.ts'
import { bindRoutes } from '../routes.ts'
import { isByPerson } from '../sign-up-form/captcha.ts'
import type { SignUpForm } from '../sign-up-form/options.ts'
import { keepFields, noFields, type ReadFields, readFields, type SignUpValues } from '../sign-up-form/sign-up-fields.ts'
import { ticketKinds } from '../ticket-kinds.ts'
import {
  checkTypedCode,
  createToken,
  getTicketId,
  isUsed,
  readTicket,
  sendTicket,
  storeTicket,
  type TicketMail,
  toUsedLink,
  wasUsed
} from './mailed-token.ts'
import { withMinDuration } from './min-duration.ts'

const kind = ticketKinds.signUp

/** What the sign-ups of a feature depend on. */
export interface MailedSignUps extends SignUpForm {
  /** The id of the feature, which its paths begin with. */
  readonly feature: 'passkey' | 'password'
  readonly context: FeatureContext
  /** Whether a user may be created with an address; `null` if any may. */
  readonly maySignUp: MaySignUp
}

/** A page of a sign-up. */
export interface SignUpPage<Key extends string> {
  readonly name: 'sign-up' | 'check-mail' | 'confirm' | 'choose'
  /** Where its form is posted to. */
  readonly action: string
  /** @defaultValue what the page usually says */
  readonly text?: Key | 'confirmUnused' | undefined
  /** The address that it is about. @defaultValue none */
  readonly email?: string
  /** What is typed besides. @defaultValue nothing */
  readonly field?: {
    readonly name: 'email' | 'code'
    readonly value: string
    readonly problem: AddressProblem | 'codeWrong' | null
  }
  /** What a new user signs in with is chosen on it: why the last one was refused. @defaultValue nothing is chosen */
  readonly choice?: { readonly problem: Key | null }
  /** What was typed into the fields of the application. @defaultValue the page has none */
  readonly fields?: ReadFields
  /** Why the form was refused, if no field is the reason. */
  readonly problem?: 'captchaFailed' | null
  /** Hidden fields. @defaultValue none */
  readonly values?: Readonly<Record<string, string>>
}

/** The form of a sign-up, as far as it was read. */
export interface ReadSignUp {
  /** `null` if the typed address is none. */
  readonly email: string | null
  readonly fields: ReadFields
}

/** What a feature adds to a sign-up: the credential that a new user signs in with, and the pages. */
export interface SignUpFlow<Credential, Key extends string> {
  readonly setup: MailedSignUps
  /** The name of the sign-in method, in English. */
  readonly name: string
  /** The path of the page on which a sign-up begins. */
  readonly startPath: string
  /** Says that a link only verifies the address of a user. */
  readonly existingText: Key | 'confirmUnused'
  /** @returns Why there is none; `null` if the rest of the form is. */
  readonly readCredential: (
    signUp: ReadSignUp,
    request: FeatureRequest
  ) => Promise<{ readonly credential: Credential } | { readonly problem: Key | null }>
  /** @returns `null` if it already belongs to a user. */
  readonly toFactor: (credential: Credential) => Promise<NewUserFactor | null>
  readonly showPage: (page: SignUpPage<Key>, request: FeatureRequest) => Promise<ActionResult>
  /** For a link or a code that has signed up. */
  readonly showUsed: (request: FeatureRequest) => Promise<ActionResult>
  /** For a link or a code that was ended, has expired or never existed: nothing tells which. */
  readonly showGone: (request: FeatureRequest) => Promise<ActionResult>
}

/** A sign-up that is not complete. */
interface SignUp<Credential> {
  readonly email: string
  /** What a new user signs in with; `null` if the address has a user who has verified it, or if the link only verifies it. */
  readonly credential: Credential | null
  /** What was typed into the fields of the application; sign-ups without them have none. */
  readonly values?: SignUpValues
  /** The hash of the code that was mailed; `null` if none was. */
  readonly code: string | null
}

/** A sign-up of the store. */
type StoredSignUp<Credential> = SignUp<Credential> & { readonly ticket: Ticket }

function toStored<Credential>(ticket: Ticket): StoredSignUp<Credential> {
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
const browserCookie = ({ context }: MailedSignUps) =>
  context.cookie('sign-up', { maxAge: kind.lifetime, hasHostPrefix: true })

/** The sign-up of this browser. @returns `null` if it has not signed up. */
async function readSignedUp(request: FeatureRequest, setup: MailedSignUps): Promise<SignedUp | null> {
  const text = await browserCookie(setup).read(request)
  return text === null ? null : JSON.parse(text)
}

/** The id of the method that signs in with the mailed link or code. */
const getMethodId = ({ feature }: MailedSignUps): string => `${feature}-sign-up`

/** The path of the form of a mailed code or link. */
const getCallbackPath = ({ basePath }: FeatureRequest, setup: MailedSignUps): string =>
  `${basePath}/callback/${getMethodId(setup)}`

/** What a mail with a link contains. */
interface LinkMail {
  readonly id: string
  readonly mail: string
  readonly data: SignUp<unknown>
  readonly values: Readonly<Record<string, string>>
}

const toTicketMail = ({ id, mail, data, values }: LinkMail): TicketMail => ({
  ticket: { kind, id, userId: null, data: JSON.stringify(data) },
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
 * @param user - The user with the address, who gets another mail if it is verified.
 * @returns The redirect to the page on which the code is typed.
 */
async function mailSignUp(
  signUp: Omit<SignUp<unknown>, 'code'>,
  user: StoredUser,
  request: FeatureRequest,
  setup: MailedSignUps
): Promise<ActionResult> {
  const { context, feature } = setup
  const { email } = signUp
  const isKnown = Boolean(user?.emailVerified)
  const token = createToken(context)
  const code = createMailedCode(context.randomBytes)
  const ticketId = await getTicketId(kind, token, context)
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

/** Mails a link to the owner of an unverified address, which verifies it, and adds nothing to a new user. */
export async function mailConfirmation(email: string, request: FeatureRequest, setup: MailedSignUps): Promise<void> {
  const token = createToken(setup.context)
  const id = await getTicketId(kind, token, setup.context)
  const url = `${request.origin}${getCallbackPath(request, setup)}?token=${token}`
  const mail = { id, mail: 'confirm', data: { email, credential: null, code: null }, values: { url } }
  await sendTicket(toTicketMail(mail), request, setup.context)
}

/**
 * Reads the sign-up of a typed code, which only the browser that has signed up can enter.
 *
 * @returns `'used'` if the sign-up is complete; `'gone'` if it has ended otherwise, or after too many codes.
 */
async function readByCode<Credential>(
  typed: string,
  request: FeatureRequest,
  setup: MailedSignUps
): Promise<StoredSignUp<Credential> | 'wrong' | 'gone' | 'used'> {
  const { context } = setup
  const browser = await readSignedUp(request, setup)
  const ticketKey = { kind: kind.name, id: browser?.ticketId ?? '' }
  const ticket = browser && (await context.tickets.read(ticketKey))
  if (!ticket) return browser && (await isUsed([browser.ticketId], context)) ? 'used' : 'gone'
  const signUp = toStored<Credential>(ticket)
  // Without a code too, it is compared: the response takes as long for every address.
  const isRight = async (): Promise<boolean> =>
    (await context.key('code').verify(`${ticket.id} ${normalizeMailedCode(typed)}`, signUp.code ?? '')) &&
    signUp.code !== null
  const checked = await checkTypedCode(ticketKey, isRight, context)
  if (checked === 'right') return signUp
  return checked === 'wrong' ? 'wrong' : 'gone'
}

/**
 * Whether the address of a sign-up belongs to a user already. One whose address is not verified, such as an invited one, gets what the
 * sign-up would give a new user, unless the link only verifies the address.
 */
async function isOfKnownUser({ email, code }: SignUp<unknown>, { context }: MailedSignUps): Promise<boolean> {
  const user = await context.users.getUserByEmail(email)
  return user !== null && (Boolean(user.emailVerified) || code === null)
}

/** Sign-ups of a feature: the mailed link or code signs in, and creates the user. */
export class MailedSignUp<Credential, Key extends string> {
  readonly #flow: SignUpFlow<Credential, Key>

  constructor(flow: SignUpFlow<Credential, Key>) {
    this.#flow = flow
  }

  /** The routes of the pages on which a sign-up begins. */
  get routes(): readonly FeatureRoute[] {
    const { get, post } = bindRoutes(this)
    const path = `/${this.#flow.setup.feature}`
    const open = { access: 'anyone' } as const
    return [
      get(`${path}/sign-up`, (request) => this.#showForm(request), open),
      post(`${path}/sign-up`, (request) => this.#start(request), { ...open, mailTo: 'email' }),
      get(`${path}/check-mail`, (request) => this.#showCheckMail(request), open)
    ]
  }

  get method(): SignInMethod {
    const { setup, name, startPath } = this.#flow
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
        if (request.method !== 'GET' && code !== null) return this.#verifyCode(code, request)
        const fields = request.method === 'GET' ? request.query : request.body
        return this.#verifyLink(getText(fields, 'token') ?? '', request)
      }
    }
  }

  /** The page that creates an account. Views of it store nothing. */
  #showForm(
    request: FeatureRequest,
    refused: Pick<SignUpPage<Key>, 'field' | 'choice' | 'fields' | 'problem'> = {}
  ): Promise<ActionResult> {
    const action = `${request.basePath}/${this.#flow.setup.feature}/sign-up`
    const field = { name: 'email', value: '', problem: null } as const
    const page = { name: 'sign-up', action, field, choice: { problem: null }, fields: noFields, ...refused } as const
    return this.#flow.showPage(page, request)
  }

  /** Stores the sign-up and mails its link. If the address has a user, only a mail to its owner says so. */
  async #start(request: FeatureRequest): Promise<ActionResult> {
    const { setup, readCredential } = this.#flow
    const typed = getText(request.body, 'email') ?? ''
    const field = { name: 'email', value: typed.slice(0, 320), problem: null } as const
    if (!(await isByPerson(request, setup.captcha, setup.context))) {
      const fields = keepFields(request.body, setup.signUpFields)
      return this.#showForm(request, { field, fields, problem: 'captchaFailed' })
    }
    // The limit of the mails counts the whole text: a part of it must not be another address.
    const email = normalizeEmailAddress(typed)
    const fields = await readFields(request.body, setup.signUpFields)
    const read = await readCredential({ email, fields }, request)
    if (email === null || 'problem' in read) {
      const problem = email === null ? explainAddress(typed) : null
      const choice = { problem: 'problem' in read ? read.problem : null }
      return this.#showForm(request, { field: { ...field, problem }, choice, fields })
    }
    // Whether the address has a user is not known before: the credential takes as long for every address.
    const user = await setup.context.users.getUserByEmail(email)
    const credential = user?.emailVerified ? null : read.credential
    return mailSignUp({ email, credential, values: fields.values }, user, request, setup)
  }

  /** The page after a sign-up, on which the code is typed. */
  async #showCheckMail(request: FeatureRequest, problem: 'codeWrong' | null = null): Promise<ActionResult> {
    const { setup, showPage } = this.#flow
    const browser = await readSignedUp(request, setup)
    if (!browser) return redirect(`${request.origin}${request.basePath}/${setup.feature}/sign-up`)
    const field = { name: 'code', value: '', problem } as const
    const action = getCallbackPath(request, setup)
    return showPage({ name: 'check-mail', action, email: browser.email, field }, request)
  }

  async #verifyCode(code: string, request: FeatureRequest): Promise<ProvenIdentity | ActionResult> {
    const { setup, showPage, showUsed, showGone } = this.#flow
    const signUp = await readByCode<Credential>(code, request, setup)
    if (signUp === 'used') return showUsed(request)
    if (signUp === 'gone') return showGone(request)
    if (signUp === 'wrong') return this.#showCheckMail(request, 'codeWrong')
    // The credential of a sign-up is discarded if the address belongs to a user already.
    const isKnown = await isOfKnownUser(signUp, setup)
    if (!isKnown || getText(request.body, 'confirmed') !== null)
      return this.#prove(signUp, isKnown ? null : signUp.credential, request)
    const [action, values] = [getCallbackPath(request, setup), { code, confirmed: 'true' }]
    return showPage({ name: 'confirm', action, text: 'confirmUnused', email: signUp.email, values }, request)
  }

  /** Verifies a mailed link: GET shows a page and changes nothing, as mail scanners open links. */
  async #verifyLink(token: string, request: FeatureRequest): Promise<ProvenIdentity | ActionResult> {
    const { setup, existingText, readCredential, showPage, showUsed, showGone } = this.#flow
    const ticket = await readTicket(kind, token, setup.context)
    if (!ticket) return (await wasUsed(kind, token, setup.context)) ? showUsed(request) : showGone(request)
    const signUp = toStored<Credential>(ticket)
    const { email, credential } = signUp
    const page = { action: getCallbackPath(request, setup), email, values: { token } }
    const isKnown = await isOfKnownUser(signUp, setup)
    const isSameBrowser = (await readSignedUp(request, setup))?.ticketId === ticket.id
    const isShown = request.method === 'GET'
    if (isKnown || (isSameBrowser && credential !== null)) {
      if (!isShown) return this.#prove(signUp, isKnown ? null : credential, request)
      const text = credential === null ? existingText : 'confirmUnused'
      return showPage({ name: 'confirm', ...page, ...(isKnown && { text }) }, request)
    }
    // Another browser chooses a credential of its own: somebody else may have typed those of the sign-up.
    if (isShown) return showPage({ name: 'choose', ...page, choice: { problem: null }, fields: noFields }, request)
    const fields = await readFields(request.body, setup.signUpFields)
    const read = await readCredential({ email, fields }, request)
    if ('problem' in read) return showPage({ name: 'choose', ...page, choice: read, fields }, request)
    return this.#prove({ ...signUp, values: fields.values }, read.credential, request)
  }

  /** The address is proven. A new user, or one whose address was not verified, gets the credential, if there is one. */
  async #prove(
    { email, values, ticket }: StoredSignUp<Credential>,
    credential: Credential | null,
    request: FeatureRequest
  ): Promise<ProvenIdentity | ActionResult> {
    const { setup, toFactor, showGone } = this.#flow
    const factor = credential === null ? null : await toFactor(credential)
    if (credential !== null && factor === null) return showGone(request)
    return {
      kind: 'identity',
      providerAccountId: email,
      user: { ...values, email },
      ticket: { kind: kind.name, id: ticket.id },
      usedTicket: toUsedLink(ticket),
      newUserFactors: factor ? [factor] : [],
      cookies: browserCookie(setup).clear(request)
    }
  }
}
