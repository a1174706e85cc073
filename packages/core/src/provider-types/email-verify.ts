import type { Config } from '../config/config.ts'
import { pageCsrfToken } from '../csrf/page-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { textOf } from '../http/body.ts'
import { page, redirect } from '../http/outcome.ts'
import { type AuthRequest, headerOf } from '../http/request.ts'
import type { EmailProvider } from '../model/provider.ts'
import { keyedHashes } from '../tokens/hash.ts'
import { allowTries, normalizeCode, redeemCode, takeTries } from './email-code.ts'
import { type EmailRequest, emailRequests, forgetRequest } from './email-request.ts'
import { identifierOf, storeOf } from './email-start.ts'
import type { Verified } from './handler.ts'
import { oneTimeToken } from './one-time-token.ts'

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
    throw new AuthError('Configuration', `${provider.id}: expected the link to carry token and email`)
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
  const action = `${config.basePath}/callback/${provider.id}`
  return { kind: 'answer', outcome: page({ name: 'confirm', identifier: link.identifier, action, fields }, cookies) }
}

/** The proof that the visitor reads the mail of this address. */
async function proven(
  provider: EmailProvider,
  identifier: string,
  hashes: readonly string[],
  request: AuthRequest,
  config: Config
): Promise<Verified> {
  const once = oneTimeToken(identifier, hashes, storeOf(config), config.runtime.now)
  await once.check()
  const [tokenHash = ''] = hashes
  const account = { provider: provider.id, type: 'email', providerAccountId: identifier } as const
  const proof = {
    identity: { account, user: { id: identifier, email: identifier }, emailVerified: true, profile: null },
    cookies: await forgetRequest(tokenHash, request.cookies, config),
    callbackUrl: null,
    startedBy: undefined,
    once,
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
    const verified = await proven(provider, link.identifier, known, request, config)
    // The code of the same mail ends with its row; its tries need not wait for their end.
    if (own?.codeHash) await takeTries(own.tokenHash, config.constants.mostCodeTries, storeOf(config))
    return verified
  }
  await oneTimeToken(link.identifier, hashes, storeOf(config), config.runtime.now).check()
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
    const parameters = new URLSearchParams({ provider: provider.id, type: provider.type, error: 'code' })
    return { kind: 'answer', outcome: redirect(`${config.base}/verify-request?${parameters}`) }
  }
  const verified = await proven(provider, found.identifier, [found.tokenHash], request, config)
  return verified.kind === 'proof' ? withTriesBack(verified, found, config) : verified
}

/** Where what follows fails, the code may be typed again. */
function withTriesBack(
  verified: Extract<Verified, { kind: 'proof' }>,
  { tokenHash, ends }: EmailRequest,
  config: Config
): Verified {
  const { once } = verified.proof
  if (!once) return verified
  const putBack = async (): Promise<void> => {
    await once.putBack()
    await allowTries(tokenHash, config.constants.mostCodeTries, new Date(ends * 1000), storeOf(config))
  }
  return { kind: 'proof', proof: { ...verified.proof, once: { take: once.take, putBack } } }
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
