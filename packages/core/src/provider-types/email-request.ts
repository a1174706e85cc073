import type { Config } from '../config/config.ts'
import { clearCookie, setCookie } from '../cookies/set-cookies.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import { type Ending, openList, sealText } from '../tokens/seal.ts'

/** A mail that this browser asked for. */
export interface EmailRequest extends Ending {
  readonly provider: string
  readonly identifier: string
  /** What the store keeps of the link's token. */
  readonly tokenHash: string
  /** `HMAC(key "code", tokenHash + code)`, or `null` where the mail has no code. */
  readonly codeHash: string | null
}

function isEmailRequest(entry: Ending): entry is EmailRequest {
  const fields: Partial<Record<string, unknown>> = { ...entry }
  const { provider, identifier, tokenHash, codeHash } = fields
  const areTexts = [provider, identifier, tokenHash].every((field) => typeof field === 'string')
  return areTexts && (codeHash === null || typeof codeHash === 'string')
}

/** @returns The mails that this browser asked for, newest first. */
export async function emailRequests(cookies: RequestCookies, config: Config): Promise<readonly EmailRequest[]> {
  const { keys, runtime } = config
  return openList(keys.emailRequest, cookies.get(config.cookies.emailRequest.name), isEmailRequest, runtime.now())
}

async function write(
  requests: readonly EmailRequest[],
  { keys, cookies: { emailRequest } }: Config
): Promise<SetCookies> {
  if (requests.length === 0) return clearCookie(emailRequest.name, emailRequest.options)
  const ends = Math.max(...requests.map((request) => request.ends))
  const value = await sealText(keys.emailRequest, JSON.stringify(requests))
  return setCookie(emailRequest.name, value, emailRequest.options, new Date(ends * 1000))
}

/** @returns The cookie that remembers this mail beside the newest others. */
export async function rememberRequest(
  request: EmailRequest,
  cookies: RequestCookies,
  config: Config
): Promise<SetCookies> {
  const others = await emailRequests(cookies, config)
  return write([request, ...others].slice(0, config.constants.mostAttempts), config)
}

/** @returns The cookie without this mail; nothing where it was not named. */
export async function forgetRequest(tokenHash: string, cookies: RequestCookies, config: Config): Promise<SetCookies> {
  const requests = await emailRequests(cookies, config)
  const others = requests.filter((request) => request.tokenHash !== tokenHash)
  return others.length === requests.length ? new Map() : write(others, config)
}
