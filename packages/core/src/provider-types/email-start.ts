import type { Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { allow } from '../hooks/allow.ts'
import { textOf } from '../http/body.ts'
import { type Outcome, redirect } from '../http/outcome.ts'
import type { AuthRequest } from '../http/request.ts'
import type { Account } from '../model/account.ts'
import type { EmailProvider, VerificationRequest } from '../model/provider.ts'
import { destination } from '../redirects/callback-url.ts'
import { keyedHash } from '../tokens/hash.ts'
import { randomHex, randomLetters } from '../tokens/random.ts'
import { allowTries, codeAlphabet, takeTries } from './email-code.ts'
import { normalizeIdentifier } from './email-identifier.ts'
import { rememberRequest } from './email-request.ts'
import { limitMails } from './limits.ts'

/** @throws AuthError `EmailSignin` for what is no address. */
export function identifierOf(provider: EmailProvider, text: string): string {
  const refuse = (cause?: unknown): never => {
    throw new AuthError('EmailSignin', `${provider.id}: expected one e-mail address of the plain form`, { cause })
  }
  if (!provider.normalizeIdentifier) return normalizeIdentifier(text) ?? refuse()
  try {
    const identifier: unknown = provider.normalizeIdentifier(text)
    return typeof identifier === 'string' && identifier !== '' ? identifier : refuse()
  } catch (cause) {
    return refuse(cause)
  }
}

/** @throws AuthError `Configuration`: links need a store; registration has seen to it. */
export function storeOf({ store }: Config): Store {
  if (!store) throw new AuthError('Configuration', 'sign-in by e-mail needs an adapter')
  return store
}

/** Asks the application before anything is sent. */
async function permission(provider: EmailProvider, identifier: string, config: Config): ReturnType<typeof allow> {
  const known = await storeOf(config).getUserByEmail(identifier)
  const user = known ?? { id: identifier, email: identifier, emailVerified: null }
  const account: Account = { provider: provider.id, type: 'email', providerAccountId: identifier, userId: identifier }
  return allow({ user, account, email: { verificationRequest: true } }, config.hooks.signIn, config.errors)
}

function linkTo(
  provider: EmailProvider,
  token: string,
  identifier: string,
  callbackUrl: string,
  { base }: Config
): string {
  const parameters = new URLSearchParams({ callbackUrl, token, email: identifier })
  return `${base}/callback/${provider.id}?${parameters}`
}

/** The built-in mail through the configured server; what is sent goes to the identifier and to nobody else. */
async function sendBuiltIn({ identifier, url, code, provider }: VerificationRequest, config: Config): Promise<void> {
  const { renderer, frame } = config.presentation
  const { subject, text, html } = renderer.mail({ identifier, url: url || null, code, maxAge: provider.maxAge }, frame)
  if (!provider.server) throw new TypeError(`${provider.id}: expected a mail server`)
  await config.runtime.sendMail(provider.server, { to: identifier, from: provider.from, subject, text, html })
}

/** Gives the mail server its time and no more; what it does afterwards changes nothing. */
async function inTime(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the mail server did not answer within ${milliseconds} ms`)),
      milliseconds
    )
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}

/** Sends what is stored already: a mailed link always has its row, and a row that nobody was sent is taken away. */
async function send(request: VerificationRequest, tokenHash: string, config: Config): Promise<void> {
  const { provider, identifier } = request
  try {
    const sending = async (): Promise<unknown> =>
      provider.sendVerificationRequest?.(request) ?? sendBuiltIn(request, config)
    await inTime(sending(), config.constants.mailTimeoutMilliseconds)
  } catch (cause) {
    const store = storeOf(config)
    await store.useVerificationToken({ identifier, token: tokenHash }).catch(() => undefined)
    if (request.code) await takeTries(tokenHash, config.constants.mostCodeTries, store).catch(() => undefined)
    throw new AuthError('EmailSignin', `${provider.id}: the mail could not be sent`, { cause })
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
  const granted = await permission(provider, identifier, config)
  if (granted.kind === 'elsewhere') return redirect(new URL(granted.location, origin).href, cookies)
  await limitMails(identifier, request, config)

  const store = storeOf(config)
  const token =
    (await provider.generateVerificationToken?.()) ?? randomHex(runtime.randomBytes, constants.verificationTokenBytes)
  const tokenHash = await keyedHash(keys.emailToken, token)
  const ends = Math.floor(runtime.now() / 1000) + provider.maxAge
  const expires = new Date(ends * 1000)
  const code = provider.code === false ? null : randomLetters(runtime.randomBytes, codeAlphabet, constants.codeLength)
  await store.createVerificationToken({ identifier, token: tokenHash, expires })
  if (code) await allowTries(tokenHash, constants.mostCodeTries, expires, store)
  const url = provider.code === 'only' ? '' : linkTo(provider, token, identifier, callbackUrl, config)
  await send({ identifier, url, code, expires, token, provider, theme: config.theme }, tokenHash, config)

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
