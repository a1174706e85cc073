import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { inTime } from '../errors/user-code.ts'
import { allow } from '../hooks/authorize-sign-in.ts'
import { textOf } from '../http/body.ts'
import { wishOf } from '../http/accept-language.ts'
import { type Outcome, redirect } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import type { Account } from '../model/account.ts'
import type { Delivery, EmailProvider, VerificationRequest } from '../model/email-provider.ts'
import { isPlainAddress } from '../model/plain-address.ts'
import { destination } from '../redirects/callback-url.ts'
import { redirectUriAt, signinUrlAt } from '../redirects/redirect-uri.ts'
import { keyedHash } from '../tokens/hash.ts'
import { randomHex, randomLetters } from '../tokens/random.ts'
import { codeAlphabet } from './email-code.ts'
import { identifierOf } from './normalize-email.ts'
import { rememberRequest } from '../provider-types/email-request.ts'
import { limitMails } from '../provider-types/limits.ts'
import { allowTries, storeOf, takeTries } from './one-time-token.ts'

/** Asks the application before anything is sent. */
async function permission(provider: EmailProvider, identifier: string, config: Config): ReturnType<typeof allow> {
  const known = await storeOf(config).getUserByEmail(identifier)
  const user = known ?? { id: identifier, email: identifier, emailVerified: null }
  const account: Account = { provider: provider.id, type: 'email', providerAccountId: identifier, userId: identifier }
  return allow({ user, account, email: { verificationRequest: true } }, config.hooks.signIn, config.errors)
}

/** What a mailed link carries, in the order of next-auth's. */
interface LinkParameters {
  readonly callbackUrl: string
  readonly token: string
  readonly email: string
}

function linkTo({ id }: EmailProvider, { callbackUrl, token, email }: LinkParameters, { base }: Config): string {
  return `${redirectUriAt(base, id)}?${new URLSearchParams({ callbackUrl, token, email })}`
}

/** The built-in mail, through the service or the server; it goes to the identifier and to nobody else. */
async function sendBuiltIn(request: VerificationRequest, config: Config): Promise<void> {
  const { identifier, url, code, provider, languages } = request
  const wish = { languages }
  const { presentation, runtime, constants } = config
  const { renderer, frame } = presentation
  // An application's own `normalizeIdentifier` may let anything through.
  if (!isPlainAddress(identifier)) throw new TypeError(`${provider.id}: expected one e-mail address of the plain form`)
  await renderer.prepare?.(wish)
  const rendered = renderer.mail({ identifier, url: url || null, code, maxAge: provider.maxAge }, frame, wish)
  const message = { ...rendered, to: identifier, from: provider.from }
  const { deliver, server, apiKey } = provider
  if (deliver) await deliver({ message, request, apiKey, post: postTo(provider, config) })
  else if (server) await runtime.sendMail(server, message, { timeout: constants.mailTimeoutMilliseconds })
  else throw new TypeError(`${provider.id}: expected a mail server`)
}

/** The way to a sending service; what it says of a failure may quote the mail, so only its status is told. */
function postTo({ id }: EmailProvider, { runtime, constants }: Config): Delivery['post'] {
  const { mailTimeoutMilliseconds: timeout, outboundMaxBytes: maxBytes } = constants
  const limits = { allowInsecureRequests: false, timeout, maxBytes }
  return async (url, { headers, body }) => {
    const answer = await runtime.fetch(url, { method: 'POST', headers, body }, limits)
    if (!answer.ok) throw new Error(`${id}: the service answered ${answer.status}`)
  }
}

/** Whether a sending was given up and not refused: the mail may arrive after all. */
function isGivenUp(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isLate = error.name === 'TimeoutError' || ('code' in error && error.code === 'ETIMEDOUT')
  return isLate || isGivenUp(error.cause)
}

async function withdraw({ identifier, code }: VerificationRequest, tokenHash: string, config: Config): Promise<void> {
  const store = storeOf(config)
  await store.useVerificationToken({ identifier, token: tokenHash }).catch(() => undefined)
  if (code) await takeTries(tokenHash, config.constants.mostCodeTries, store).catch(() => undefined)
}

/** Sends what is stored already: a mailed link always has its row, and a row that nobody was sent is taken away. */
async function send(request: VerificationRequest, tokenHash: string, config: Config): Promise<void> {
  const { provider } = request
  try {
    const { sendVerificationRequest } = provider
    const sending = sendVerificationRequest ? sendVerificationRequest(request) : sendBuiltIn(request, config)
    // What the server does after its time changes nothing.
    await inTime('the mail server', sending, config.constants.mailTimeoutMilliseconds)
  } catch (cause) {
    if (!isGivenUp(cause)) await withdraw(request, tokenHash, config)
    throw new AuthError('EmailSignin', `${provider.id}: the mail could not be sent`, { cause })
  }
}

async function newToken(
  { id, generateVerificationToken }: EmailProvider,
  { runtime, constants }: Config
): Promise<string> {
  if (!generateVerificationToken) return randomHex(runtime.randomBytes, constants.verificationTokenBytes)
  try {
    return await generateVerificationToken()
  } catch (cause) {
    throw new AuthError('EmailSignin', `${id}: there is no token to send`, { cause })
  }
}

/**
 * Stores a token, sends the mail, then answers.
 *
 * @throws AuthError `EmailSignin`, `AccessDenied`, `RateLimited`, `StoreUnavailable`
 */
export async function startEmail(provider: EmailProvider, request: AuthRequest, config: Config): Promise<Outcome> {
  const { keys, runtime, constants, pages, base, origin } = config
  const { callbackUrl, cookies } = await destination(request, config.redirects)
  const identifier = identifierOf(provider, textOf(request.body, 'email') ?? '')
  await limitMails(identifier, request, config)
  const granted = await permission(provider, identifier, config)
  if (granted.kind === 'elsewhere') return redirect(new URL(granted.location, origin).href, cookies)

  const store = storeOf(config)
  const token = await newToken(provider, config)
  const tokenHash = await keyedHash(keys.emailToken, token)
  const ends = Math.floor(runtime.now() / 1000) + provider.maxAge
  const expires = new Date(ends * 1000)
  const code = provider.code === false ? null : randomLetters(runtime.randomBytes, codeAlphabet, constants.codeLength)
  await store.createVerificationToken({ identifier, token: tokenHash, expires })
  if (code) await allowTries({ tokenHash, count: constants.mostCodeTries, expires }, store)
  const url = provider.code === 'only' ? '' : linkTo(provider, { callbackUrl, token, email: identifier }, config)
  const inUse = {
    ...provider.given,
    ...provider,
    signinUrl: signinUrlAt(base, provider.id),
    callbackUrl: redirectUriAt(base, provider.id)
  }
  const { languages } = wishOf(request)
  const mail = { identifier, url, code, expires, token, provider: inUse, languages, theme: config.theme }
  await send(mail, tokenHash, config)

  const codeHash = code ? await keyedHash(keys.code, tokenHash + code) : null
  const remembered = await rememberRequest(
    { provider: provider.id, identifier, tokenHash, codeHash, ends },
    request.cookies,
    config
  )
  const next = pages.verifyRequest
    ? new URL(pages.verifyRequest, origin).href
    : `${base}/verify-request?${new URLSearchParams({ provider: provider.id, type: provider.type })}`
  return redirect(next, new Map([...cookies, ...remembered]))
}
