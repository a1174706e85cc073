import type { Config } from '../config/config.ts'
import { getRoom, measureCookies } from '../cookies/budget.ts'
import { clearCookie, setCookie } from '../cookies/set-cookies.ts'
import type { AuthRequest } from '../http/request.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import { decryptList, type Expiring } from '../tokens/encrypted-list.ts'
import { encryptText } from '../tokens/jwe.ts'

/** A mail that this browser requested. */
export interface PendingEmail extends Expiring {
  readonly provider: string
  readonly identifier: string
  /** The stored form of the link's token. */
  readonly tokenHash: string
  /** `HMAC(key "code", tokenHash + code)`, or `null` if the mail contains no code. */
  readonly codeHash: string | null
}

function isEmailRequest(entry: Expiring): entry is PendingEmail {
  const fields: Partial<Record<string, unknown>> = { ...entry }
  const { provider, identifier, tokenHash, codeHash } = fields
  const areTexts = [provider, identifier, tokenHash].every((field) => typeof field === 'string')
  return areTexts && (codeHash === null || typeof codeHash === 'string')
}

/** @returns The mails that this browser requested from this application, newest first. */
export async function readPendingEmails(cookies: RequestCookies, config: Config): Promise<readonly PendingEmail[]> {
  const { application } = config
  return (await openRequests(cookies, config)).filter(({ app }) => app === application.id)
}

/** @returns The mails that this browser requested, including those of other applications. */
async function openRequests(cookies: RequestCookies, config: Config): Promise<readonly PendingEmail[]> {
  const { keys, runtime } = config
  return decryptList(keys.emailRequest, cookies.get(config.cookies.emailRequest.name), isEmailRequest, runtime.now())
}

async function write(
  requests: readonly PendingEmail[],
  { keys, cookies: { emailRequest } }: Config
): Promise<SetCookies> {
  if (requests.length === 0) return clearCookie(emailRequest.name, emailRequest.options)
  const ends = Math.max(...requests.map((request) => request.ends))
  const value = await encryptText(keys.emailRequest, JSON.stringify(requests))
  return setCookie(emailRequest.name, value, emailRequest.options, new Date(ends * 1000))
}

async function writeFitting(requests: readonly PendingEmail[], room: number, config: Config): Promise<SetCookies> {
  const written = await write(requests, config)
  const isFull = measureCookies(written) > room && requests.length > 1
  return isFull ? writeFitting(requests.slice(0, -1), room, config) : written
}

/** @returns The cookie with this mail added to the newest others that the other cookies leave room for. */
export async function savePendingEmail(
  request: Omit<PendingEmail, 'app'>,
  cookies: RequestCookies,
  config: Config
): Promise<SetCookies> {
  const others = await openRequests(cookies, config)
  const requests = [{ ...request, app: config.application.id }, ...others].slice(0, config.constants.maxAttempts)
  return writeFitting(requests, getRoom(cookies, [config.cookies.emailRequest], config.cookieBudget), config)
}

/** @returns The cookie without this mail; nothing if the cookie did not contain it. */
export async function removePendingEmail(
  tokenHash: string,
  cookies: RequestCookies,
  config: Config
): Promise<SetCookies> {
  const requests = await openRequests(cookies, config)
  const others = requests.filter((request) => request.tokenHash !== tokenHash)
  return others.length === requests.length ? new Map() : write(others, config)
}

/** The newest sign-in mail that this browser requested. */
interface SentMail {
  /** The address; `null` if this browser requested none. */
  readonly identifier: string | null
  /** Whether the mails of the provider contain a link. */
  readonly hasLink: boolean
  /** Whether this browser can sign in with the code of the mail. */
  readonly acceptsCode: boolean
}

/** Reads the newest sign-in mail of a provider that this browser requested. */
export async function readSentMail(providerId: string, request: AuthRequest, config: Config): Promise<SentMail> {
  const provider = config.providers.get(providerId)
  const code = provider?.kind === 'email' ? provider.code : false
  const [newest] = (await readPendingEmails(request.cookies, config)).filter(({ provider }) => provider === providerId)
  return {
    identifier: newest?.identifier ?? null,
    hasLink: code !== 'only',
    acceptsCode: code !== false && Boolean(newest?.codeHash)
  }
}
