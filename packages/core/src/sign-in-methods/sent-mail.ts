import type { Config } from '../config/config.ts'
import type { AuthRequest } from '../http/request.ts'
import { readPendingEmails } from './pending-email.ts'

/** The newest sign-in mail that this browser requested. */
export interface SentMail {
  /** The address; `null` if this browser requested none. */
  readonly identifier: string | null
  /** Whether the mails of the provider contain a link. */
  readonly hasLink: boolean
  /** Whether this browser can sign in with the code of the mail. */
  readonly acceptsCode: boolean
}

/** Reads the newest sign-in mail of a provider that this browser requested. */
export async function readSentMail(providerId: string, request: AuthRequest, deps: Config): Promise<SentMail> {
  const provider = deps.providers.get(providerId)
  const code = provider?.kind === 'email' ? provider.code : false
  const [newest] = (await readPendingEmails(request.cookies, deps)).filter(({ provider }) => provider === providerId)
  return {
    identifier: newest?.identifier ?? null,
    hasLink: code !== 'only',
    acceptsCode: code !== false && Boolean(newest?.codeHash)
  }
}
