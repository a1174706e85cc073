import { withTimeout } from '../errors/user-code.ts'
import type { Delivery, EmailProvider, VerificationRequest } from '../model/email-provider.ts'
import type { Message, Runtime } from '../model/runtime.ts'

/** What mails are sent with. */
export interface MailDeps {
  readonly runtime: Pick<Runtime, 'fetch' | 'sendMail'>
  readonly constants: { readonly mailTimeoutMilliseconds: number; readonly outboundMaxBytes: number }
}

/** Posts to a sending service. Only the status of a failure is reported, because its body may quote the mail. */
function postTo({ id }: EmailProvider, { runtime, constants }: MailDeps): Delivery['post'] {
  const { mailTimeoutMilliseconds: timeout, outboundMaxBytes: maxBytes } = constants
  const limits = { allowInsecureRequests: false, timeout, maxBytes }
  return async (url, { headers, body }) => {
    const response = await runtime.fetch(url, { method: 'POST', headers, body }, limits)
    if (!response.ok) throw new Error(`${id}: the service answered ${response.status}`)
  }
}

/** Sends a rendered mail through the service or the server of a provider. @param request - `null` for other mails. */
export async function deliverMail(
  provider: EmailProvider,
  message: Message,
  request: VerificationRequest | null,
  deps: MailDeps
): Promise<void> {
  const { id, deliver, server, apiKey } = provider
  if (deliver) await deliver({ message, request, apiKey, post: postTo(provider, deps) })
  else if (server) await deps.runtime.sendMail(server, message, { timeout: deps.constants.mailTimeoutMilliseconds })
  else throw new TypeError(`${id}: expected a mail server`)
}

/** Limits the time of a mail. A result after the timeout has no effect. */
export async function limitMailTime(sending: unknown, { constants }: Pick<MailDeps, 'constants'>): Promise<void> {
  await withTimeout('the mail server', sending, constants.mailTimeoutMilliseconds)
}
