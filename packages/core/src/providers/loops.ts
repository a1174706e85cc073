import type { EmailConfig, MailServiceOptions } from '../model/provider-config.ts'

/** The options of the Loops provider. */
export interface LoopsOptions extends MailServiceOptions {
  /** The id of the mail template at Loops, with the variables `url` for the link and optionally `code`. */
  readonly transactionalId: string
}

/** Sign-in with mailed links through Loops, which renders the mail itself. `apiKey` defaults to `AUTH_LOOPS_KEY`. */
export default function loops(options: LoopsOptions): EmailConfig
export default function loops(options: Partial<LoopsOptions> = {}): EmailConfig {
  return {
    id: 'loops',
    name: 'Loops',
    type: 'email',
    needs: ['transactionalId'],
    // The sender is configured at Loops.
    from: '',
    deliver: ({ request, apiKey, post }) => {
      if (!request) throw new Error('loops: expected a sign-in mail; its template can contain no other')
      const { identifier, url, code } = request
      return post('https://app.loops.so/api/v1/transactional', {
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          transactionalId: options.transactionalId,
          email: identifier,
          dataVariables: { url, ...(code ? { code } : {}) }
        })
      })
    },
    options
  }
}
