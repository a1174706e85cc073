import type { AdapterUser } from '../adapter/adapter.ts'
import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { authorizeSignIn, type Permission } from '../hooks/authorize-sign-in.ts'
import { getLanguagePreference } from '../http/accept-language.ts'
import { type ActionResult, redirect } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { getBrowserName } from '../http/browser-name.ts'
import { type AuthRequest, getHeader } from '../http/request.ts'
import type { Account } from '../model/account.ts'
import type { EmailProvider, VerificationRequest } from '../model/email-provider.ts'
import { isPlainEmailAddress } from '../model/normalize-email-address.ts'
import { redirectUriAt, signinUrlAt } from '../redirects/redirect-uri.ts'
import { keyedHash } from '../tokens/hash.ts'
import { createMailedCode } from '../tokens/mailed-code.ts'
import { randomHex } from '../tokens/random.ts'
import { bindToken } from './bound-token.ts'
import { consumeAttempts, createAttemptCounter, requireStore } from './one-time-token.ts'
import { parseIdentifier } from './parse-identifier.ts'
import { savePendingEmail } from './pending-email.ts'
import { getRateLimitAddress } from './rate-limit-identifier.ts'
import { mailLimits } from './rate-limits.ts'

/** Asks the captcha. @throws AuthError `EmailSignin` unless it returns `true` */
async function requirePerson({ id, captcha }: EmailProvider, { body, client }: AuthRequest): Promise<void> {
  if (!captcha || (await captcha.verify({ body, client })) === true) return
  throw new AuthError('EmailSignin', `${id}: the captcha was not passed`, { reason: 'captcha' })
}

/** Whether the address gets a mail. It is asked for every address, so that the time of the response is the same. */
async function mayGetMail({ traits }: EmailProvider, identifier: string, known: AdapterUser | null): Promise<boolean> {
  const maySignUp = (await traits.maySignUp?.(identifier)) ?? true
  return maySignUp || known !== null
}

/** Calls the `signIn` callback before the mail is sent. */
async function permission(
  provider: EmailProvider,
  identifier: string,
  known: AdapterUser | null,
  { hooks: { signIn }, errors }: Config
): Promise<Permission> {
  if (!signIn) return { kind: 'granted' }
  const user = known ?? { id: identifier, email: identifier, emailVerified: null }
  const account: Account = { provider: provider.id, type: 'email', providerAccountId: identifier, userId: identifier }
  const question = { user, account, email: { verificationRequest: true }, isNewUser: known === null } as const
  return authorizeSignIn(question, signIn, errors)
}

/** Sends the built-in mail through the service or the server, to the identifier only. */
async function sendBuiltIn(request: VerificationRequest, config: Config): Promise<void> {
  const { identifier, url, code, provider, languages, requestedAt, browser } = request
  const preference = { languages }
  const { renderer, pageContext } = config.renderContext
  // An application's own `normalizeIdentifier` may return any string.
  if (!isPlainEmailAddress(identifier))
    throw new TypeError(`${provider.id}: expected a single email address without a display name`)
  await renderer.prepare?.(preference)
  const rendered = renderer.mail(
    { identifier, url: url || null, code, maxAge: provider.maxAge, requestedAt, browser },
    pageContext,
    preference
  )
  const message = { ...rendered, to: identifier, from: provider.from }
  await config.mailTransport.deliver(provider, message, request)
}

/** Whether sending timed out and was not rejected: the mail may still arrive. */
function isGivenUp(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isLate = error.name === 'TimeoutError' || ('code' in error && error.code === 'ETIMEDOUT')
  return isLate || isGivenUp(error.cause)
}

async function withdraw({ identifier, code }: VerificationRequest, tokenHash: string, config: Config): Promise<void> {
  const store = requireStore(config)
  await store.useVerificationToken({ identifier, token: tokenHash }).catch(() => undefined)
  if (code) await consumeAttempts(tokenHash, config.constants.maxCodeTries, store).catch(() => undefined)
}

/** @throws AuthError `EmailSignin` */
async function send(request: VerificationRequest, config: Config): Promise<void> {
  const { provider } = request
  try {
    const { sendVerificationRequest } = provider
    const sending = sendVerificationRequest ? sendVerificationRequest(request) : sendBuiltIn(request, config)
    await config.mailTransport.limitTime(sending)
  } catch (cause) {
    throw new AuthError('EmailSignin', `${provider.id}: the mail could not be sent`, { cause })
  }
}

/**
 * Sends a mail whose token is already stored: a mailed link always has its row. If the mail was not sent, the row is deleted, and the
 * mail does not count.
 */
async function sendOrWithdraw(
  mail: VerificationRequest,
  { tokenHash, limits }: { readonly tokenHash: string; readonly limits: ReturnType<typeof mailLimits> },
  config: Config
): Promise<void> {
  await send(mail, config).catch(async (error: unknown) => {
    // A mail that timed out may still arrive.
    if (!isGivenUp(error)) {
      await withdraw(mail, tokenHash, config)
      await limits.refund()
    }
    throw error
  })
}

/** Milliseconds after which a mail is sent in the background: its work would delay the response. */
const backgroundDelay = 100

/** Sends a mail once the response is sent. */
async function sendLater(mail: VerificationRequest, config: Config): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, backgroundDelay))
  await send(mail, config)
}

/** Links are not rate-limited by address, so their tokens must be too long to guess (NIST SP 800-63B §3.1.2.2). */
const minTokenBits = 64

const alphabets = [
  { pattern: /^\d+$/, size: 10 },
  { pattern: /^[\da-f-]+$|^[\dA-F-]+$/, size: 16 },
  { pattern: /^[\da-z-]+$|^[\dA-Z-]+$/, size: 36 }
]

/** The most random bits that a text of this length and alphabet can have. */
function estimateBits(text: string): number {
  const size = alphabets.find(({ pattern }) => pattern.test(text))?.size ?? 64
  return text.length * Math.log2(size)
}

/** @throws AuthError `EmailSignin` if it failed; `Configuration` if the token is short. */
async function newToken(
  { id, generateVerificationToken }: EmailProvider,
  { runtime, constants }: Config
): Promise<string> {
  if (!generateVerificationToken) return randomHex(runtime.randomBytes, constants.verificationTokenBytes)
  const generate = async (): Promise<string> => generateVerificationToken()
  const token = await generate().catch((cause: unknown) => {
    throw new AuthError('EmailSignin', `${id}: expected a token to send`, { cause })
  })
  if (estimateBits(token) < minTokenBits)
    throw new AuthError(
      'Configuration',
      `providers.${id}.generateVerificationToken: expected at least ${minTokenBits} random bits, so that nobody can guess the link; for a short code to type, use the option code`
    )
  return token
}

/**
 * Stores a token, sends the mail, then responds.
 *
 * @throws AuthError `EmailSignin`, `AccessDenied`, `RateLimited`, `StoreUnavailable`
 */
export async function startEmail(provider: EmailProvider, request: AuthRequest, config: Config): Promise<ActionResult> {
  const { keys, runtime, constants, pages, base, origin } = config
  await requirePerson(provider, request)
  const { callbackUrl, cookies } = await config.redirects.resolve(request)
  const identifier = parseIdentifier(provider, getText(request.body, 'email') ?? '')
  const limits = mailLimits(getRateLimitAddress(identifier), request, config)
  await limits.consume()
  const store = requireStore(config)
  const known = await store.getUserByEmail(identifier)
  const granted = await permission(provider, identifier, known, config)
  if (granted.kind === 'elsewhere') return redirect(new URL(granted.location, origin).href, cookies)
  const isMailed = await mayGetMail(provider, identifier, known)

  const token = await newToken(provider, config)
  const { linkToken, tokenHash } = await bindToken(token, provider, config)
  const now = runtime.now()
  const ends = Math.floor(now / 1000) + provider.maxAge
  const expires = new Date(ends * 1000)
  const code = provider.code === false ? null : createMailedCode(runtime.randomBytes, constants.codeLength)
  await store.createVerificationToken({ identifier, token: tokenHash, expires })
  if (code) await createAttemptCounter({ tokenHash, count: constants.maxCodeTries, expires }, store)
  // In the order of next-auth.
  const parameters = new URLSearchParams({ callbackUrl, token: linkToken, email: identifier })
  const url = provider.code === 'only' ? '' : `${redirectUriAt(base, provider.id)}?${parameters}`
  const inUse = {
    ...provider.given,
    ...provider,
    signinUrl: signinUrlAt(base, provider.id),
    callbackUrl: redirectUriAt(base, provider.id)
  }
  const { languages } = getLanguagePreference(request)
  const origins = { requestedAt: new Date(now), browser: getBrowserName(getHeader(request, 'user-agent')) }
  const mail = { identifier, url, code, expires, token, provider: inUse, ...origins, languages, theme: config.theme }
  // The time of the mail server, and what its failure changes, would show who may sign up.
  if (!provider.traits.maySignUp) await sendOrWithdraw(mail, { tokenHash, limits }, config)
  else if (isMailed) config.tasks.run(`providers.${provider.id}: mail`, () => sendLater(mail, config))
  const codeHash = code ? await keyedHash(keys.code, tokenHash + code) : null
  const remembered = await savePendingEmail(
    { provider: provider.id, identifier, tokenHash, codeHash, ends },
    request.cookies,
    config
  )
  const next = pages.verifyRequest
    ? new URL(pages.verifyRequest, origin).href
    : `${base}/verify-request?${new URLSearchParams({ provider: provider.id, type: provider.type })}`
  return redirect(next, new Map([...cookies, ...remembered]))
}
