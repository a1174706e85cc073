import { withTimeout } from '../errors/user-code.ts'
import type { Delivery, EmailProvider, VerificationRequest } from '../model/email-provider.ts'
import type { Message, Runtime } from '../model/runtime.ts'

/** Sends mails through the services and the servers of providers. */
export class MailTransport {
  readonly #runtime: Pick<Runtime, 'fetch' | 'sendMail'>
  readonly #timeout: number
  readonly #maxBytes: number

  /**
   * @param timeout - Milliseconds that a mail may take.
   * @param maxBytes - The maximum size of the response of a service.
   */
  constructor(runtime: Pick<Runtime, 'fetch' | 'sendMail'>, timeout: number, maxBytes: number) {
    this.#runtime = runtime
    this.#timeout = timeout
    this.#maxBytes = maxBytes
  }

  /** Sends a rendered mail. @param request - `null` for other mails than those that sign in. */
  async deliver(provider: EmailProvider, message: Message, request: VerificationRequest | null): Promise<void> {
    const { id, deliver, server, apiKey } = provider
    if (deliver) await deliver({ message, request, apiKey, post: this.#postTo(id) })
    else if (server) await this.#runtime.sendMail(server, message, { timeout: this.#timeout })
    else throw new TypeError(`${id}: expected a mail server`)
  }

  /** Limits the time of a mail. A result after the timeout has no effect. */
  async limitTime(sending: unknown): Promise<void> {
    await withTimeout('the mail server', sending, this.#timeout)
  }

  /** Posts to a sending service. Only the status of a failure is reported, because its body may quote the mail. */
  #postTo(id: string): Delivery['post'] {
    const limits = { allowInsecureRequests: false, timeout: this.#timeout, maxBytes: this.#maxBytes }
    return async (url, { headers, body }) => {
      const response = await this.#runtime.fetch(url, { method: 'POST', headers, body }, limits)
      if (!response.ok) throw new Error(`${id}: the service answered ${response.status}`)
    }
  }
}
