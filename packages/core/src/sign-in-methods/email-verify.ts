import type { Config } from '../config/config.ts'
import { noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import { page, redirect } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { type AuthRequest, getHeader } from '../http/request.ts'
import { authenticatedNow } from '../model/authentication.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import { redirectUriAt } from '../redirects/redirect-uri.ts'
import { normalizeMailedCode } from '../tokens/mailed-code.ts'
import { hashesOfToken } from './bound-token.ts'
import { redeemCode } from './email-code.ts'
import { plainProof, type Verified } from './handler.ts'
import { type AttemptCounter, checkToken, createOneTimeToken, requireStore } from './one-time-token.ts'
import { parseIdentifier } from './parse-identifier.ts'
import { type PendingEmail, readPendingEmails, removePendingEmail } from './pending-email.ts'

/** The parameters of a link. */
interface Link {
  readonly token: string
  readonly identifier: string
}

/** Whether a user opened the page: not a prefetch, a preview, or a subresource that a mail scanner loads. */
function isNavigation(request: AuthRequest): boolean {
  const purpose =
    getHeader(request, 'sec-purpose') ?? getHeader(request, 'purpose') ?? getHeader(request, 'x-moz') ?? ''
  const mode = getHeader(request, 'sec-fetch-mode') ?? 'navigate'
  const target = getHeader(request, 'sec-fetch-dest') ?? 'document'
  return !/prefetch|preview|prerender/i.test(purpose) && mode === 'navigate' && target === 'document'
}

function parseLink(provider: EmailProvider, request: AuthRequest): Link {
  const fields = request.method === 'POST' ? { ...request.query, ...request.body } : request.query
  const [token, email] = [getText(fields, 'token'), getText(fields, 'email')]
  // Anybody can open such an address: it says nothing about the configuration.
  if (!token) throw new AuthError('Verification', `${provider.id}: expected a token in the link`)
  if (!email) throw new AuthError('Verification', `${provider.id}: expected an email address in the link`)
  try {
    return { token, identifier: parseIdentifier(provider, email) }
  } catch (cause) {
    throw new AuthError('Verification', `${provider.id}: expected an email address in the link`, { cause })
  }
}

/** Renders a page with one button: the link was requested in another browser. */
async function confirmPage(
  provider: EmailProvider,
  link: Link,
  request: AuthRequest,
  config: Config
): Promise<Verified> {
  const { token: csrfToken, cookies } = await config.csrf.readOrIssue(request.cookies)
  const callbackUrl = getText(request.query, 'callbackUrl')
  const fields = { csrfToken, token: link.token, email: link.identifier, ...(callbackUrl ? { callbackUrl } : {}) }
  const action = redirectUriAt(config.basePath, provider.id)
  return { kind: 'result', outcome: page({ name: 'confirm', identifier: link.identifier, action, fields }, cookies) }
}

/** The proof that the user can read the mail of this address. */
interface EmailProof {
  readonly identifier: string
  /** The stored forms that the link's token may have, most likely first. */
  readonly hashes: readonly string[]
  /** The mail that this browser requested, if it did. */
  readonly request: PendingEmail | null
  /** The consumed attempts of its code, if the code was typed. */
  readonly attemptCounter: AttemptCounter | null
}

async function proven(
  provider: EmailProvider,
  evidence: EmailProof,
  { cookies }: AuthRequest,
  config: Config
): Promise<Verified> {
  const { identifier, hashes, request, attemptCounter } = evidence
  const row = await checkToken({ identifier, hashes }, config)
  const account = { provider: provider.id, type: 'email', providerAccountId: identifier } as const
  const proof = {
    ...plainProof,
    identity: {
      account,
      row: account,
      user: { id: identifier, email: identifier },
      emailVerified: true,
      profile: null
    },
    authentication: authenticatedNow(provider.id, [], config.runtime.now()),
    cookies: request ? await removePendingEmail(request.tokenHash, cookies, config) : noCookies,
    oneTimeToken: createOneTimeToken(
      { identifier, hashes },
      attemptCounter ?? (provider.code === false ? 'no code' : null),
      row,
      config
    )
  }
  return { kind: 'proof', proof }
}

async function verifyLink(provider: EmailProvider, request: AuthRequest, config: Config): Promise<Verified> {
  const link = parseLink(provider, request)
  const hashes = await hashesOfToken(link.token, config)
  if (hashes.length === 0)
    throw new AuthError('Verification', `${provider.id}: the link belongs to another application`)
  const pendingEmails = await readPendingEmails(request.cookies, config)
  const own = pendingEmails.find(
    ({ tokenHash, identifier }) => hashes.includes(tokenHash) && identifier === link.identifier
  )
  const isPosted = request.method === 'POST'
  const isOwnClick = provider.confirm === 'auto' && own !== undefined && isNavigation(request)
  if (isPosted || isOwnClick || provider.confirm === 'never') {
    const known = own ? [own.tokenHash, ...hashes.filter((hash) => hash !== own.tokenHash)] : hashes
    const evidence = { identifier: link.identifier, hashes: known, request: own ?? null, attemptCounter: null }
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
  const pendingEmails = (await readPendingEmails(request.cookies, config)).filter(
    (entry) => entry.provider === provider.id
  )
  const found = await redeemCode(normalizeMailedCode(text), pendingEmails, requireStore(config), config)
  if ('triesLeft' in found) {
    config.logger.warn('CALLBACK_EMAIL_ERROR', { ref: request.id, message: `${provider.id}: the code was wrong` })
    const { id, type } = provider
    const left = String(found.triesLeft)
    const parameters = new URLSearchParams({ provider: id, type, error: 'code', ref: request.id, left })
    return { kind: 'result', outcome: redirect(`${config.base}/verify-request?${parameters}`) }
  }
  const { identifier, tokenHash } = found.request
  return proven(provider, { identifier, hashes: [tokenHash], ...found }, request, config)
}

/**
 * Verifies a link or a code.
 *
 * A GET consumes the link only if this browser requested it. Any other GET, such as that of a mail scanner, gets a page
 * with a button.
 *
 * @throws AuthError `Verification` if there is no token, or if it is invalid.
 */
export async function verifyEmail(provider: EmailProvider, request: AuthRequest, config: Config): Promise<Verified> {
  const code = request.method === 'POST' ? getText(request.body, 'code') : null
  return code === null ? verifyLink(provider, request, config) : verifyCode(provider, code, request, config)
}
