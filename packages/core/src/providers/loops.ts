import type { EmailConfig, MailServiceOptions } from '../model/provider-config.ts'

export interface LoopsOptions extends MailServiceOptions {
  /** The mail that is made at Loops, with a variable `url` for the link and, if wanted, `code`. */
  readonly transactionalId: string
}

/** Sign-in by mailed links through Loops, which renders the mail itself. `apiKey` defaults to `AUTH_LOOPS_KEY`. */
export default function loops(options: LoopsOptions): EmailConfig {
  return {
    id: 'loops',
    name: 'Loops',
    type: 'email',
    needs: ['transactionalId'],
    // Loops knows the sender.
    from: '',
    deliver: ({ request: { identifier, url, code }, apiKey, post }) =>
      post('https://app.loops.so/api/v1/transactional', {
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          transactionalId: options.transactionalId,
          email: identifier,
          dataVariables: { url, ...(code ? { code } : {}) }
        })
      }),
    options
  }
}
