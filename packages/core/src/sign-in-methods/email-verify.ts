import type { Config } from '../config/config.ts'
import { noCookies } from '../cookies/set-cookies.ts'
import { pageCsrfToken } from '../csrf/csrf-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { textOf } from '../http/body.ts'
import { page, redirect } from '../http/action-result.ts'
import { type AuthRequest, headerOf } from '../http/request.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import { redirectUriAt } from '../redirects/redirect-uri.ts'
import { keyedHashes } from '../tokens/hash.ts'
import { normalizeCode, redeemCode } from './email-code.ts'
import { identifierOf } from './normalize-email.ts'
import { type EmailRequest, emailRequests, forgetRequest } from '../provider-types/email-request.ts'
import type { Verified } from '../provider-types/handler.ts'
import { checkToken, oneTime, storeOf, type Tries } from './one-time-token.ts'

/** A link as the request names it. */
interface Link {
  readonly token: string
  readonly identifier: string
}

/** Anything that loads a page without a person having asked for it: prefetches, previews, scanners' subresources. */
function isNavigation(request: AuthRequest): boolean {
  const purpose = headerOf(request, 'sec-purpose') ?? headerOf(request, 'purpose') ?? headerOf(request, 'x-moz') ?? ''
  const mode = headerOf(request, 'sec-fetch-mode') ?? 'navigate'
  const target = headerOf(request, 'sec-fetch-dest') ?? 'document'
  return !/prefetch|preview|prerender/i.test(purpose) && mode === 'navigate' && target === 'document'
}

function linkOf(provider: EmailProvider, request: AuthRequest): Link {
  const fields = request.method === 'POST' ? { ...request.query, ...request.body } : request.query
  const [token, email] = [textOf(fields, 'token'), textOf(fields, 'email')]
  if (!token || !email)
    throw new AuthError('Configuration', `${provider.id}: expected the link to carry token and email`, { status: 400 })
  try {
    return { token, identifier: identifierOf(provider, email) }
  } catch (cause) {
    throw new AuthError('Verification', `${provider.id}: the link names no address`, { cause })
  }
}

/** A page with one button: whoever opened the link here did not ask for it here. */
async function confirmPage(
  provider: EmailProvider,
  link: Link,
  request: AuthRequest,
  config: Config
): Promise<Verified> {
  const { token: csrfToken, cookies } = await pageCsrfToken(request.cookies, config.csrf)
  const callbackUrl = textOf(request.query, 'callbackUrl')
  const fields = { csrfToken, token: link.token, email: link.identifier, ...(callbackUrl ? { callbackUrl } : {}) }
  const action = redirectUriAt(config.basePath, provider.id)
  return { kind: 'answer', outcome: page({ name: 'confirm', identifier: link.identifier, action, fields }, cookies) }
}

/** What proves that the visitor reads the mail of this address. */
interface Evidence {
  readonly identifier: string
  /** What the store may keep of the link's token, the likeliest first. */
  readonly hashes: readonly string[]
  /** The mail that this browser asked for, where it did. */
  readonly request: EmailRequest | null
  /** The tries that were taken for its code, where the code was typed. */
  readonly tries: Tries | null
}

async function proven(
  provider: EmailProvider,
  evidence: Evidence,
  { cookies }: AuthRequest,
  config: Config
): Promise<Verified> {
  const { identifier, hashes, request, tries } = evidence
  await checkToken({ identifier, hashes }, config)
  const account = { provider: provider.id, type: 'email', providerAccountId: identifier } as const
  const proof = {
    identity: {
      account,
      row: account,
      user: { id: identifier, email: identifier },
      emailVerified: true,
      profile: null
    },
    cookies: request ? await forgetRequest(request.tokenHash, cookies, config) : noCookies,
    callbackUrl: null,
    startedBy: undefined,
    once: oneTime({ identifier, hashes }, tries ?? (provider.code === false ? 'no code' : null), config),
    question: {}
  }
  return { kind: 'proof', proof }
}

async function verifyLink(provider: EmailProvider, request: AuthRequest, config: Config): Promise<Verified> {
  const link = linkOf(provider, request)
  const hashes = await keyedHashes(config.keys.emailToken, link.token)
  const asked = await emailRequests(request.cookies, config)
  const own = asked.find(({ tokenHash, identifier }) => hashes.includes(tokenHash) && identifier === link.identifier)
  const isPosted = request.method === 'POST'
  const isOwnClick = provider.confirm === 'auto' && own !== undefined && isNavigation(request)
  if (isPosted || isOwnClick || provider.confirm === 'never') {
    const known = own ? [own.tokenHash, ...hashes.filter((hash) => hash !== own.tokenHash)] : hashes
    const evidence = { identifier: link.identifier, hashes: known, request: own ?? null, tries: null }
    return proven(provider, evidence, request, config)
  }
  await checkToken({ identifier: link.identifier, hashes }, config)
  return confirmPage(provider, link, request, config)
}

async function verifyCode(
  provider: EmailProvider,
  text: string,
  request: AuthRequest,
  config: Config
): Promise<Verified> {
  const asked = (await emailRequests(request.cookies, config)).filter((entry) => entry.provider === provider.id)
  const found = await redeemCode(normalizeCode(text), asked, storeOf(config), config)
  if (!found) {
    config.logger.warn('CALLBACK_EMAIL_ERROR', { ref: request.id, message: `${provider.id}: the code was wrong` })
    const { id, type } = provider
    const parameters = new URLSearchParams({ provider: id, type, error: 'code', ref: request.id })
    return { kind: 'answer', outcome: redirect(`${config.base}/verify-request?${parameters}`) }
  }
  const { identifier, tokenHash } = found.request
  return proven(provider, { identifier, hashes: [tokenHash], ...found }, request, config)
}

/**
 * Reads a link or a code.
 *
 * A GET consumes only where this very browser asked for this very link; any other GET, a mail scanner's above all,
 * gets a page with a button.
 *
 * @throws AuthError `Configuration`: no token; `Verification`: none that counts.
 */
export async function verifyEmail(provider: EmailProvider, request: AuthRequest, config: Config): Promise<Verified> {
  const code = request.method === 'POST' ? textOf(request.body, 'code') : null
  return code === null ? verifyLink(provider, request, config) : verifyCode(provider, code, request, config)
}
