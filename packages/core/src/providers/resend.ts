import type { EmailConfig, MailServiceOptions } from '../model/provider-config.ts'

/** Sign-in with mailed links through Resend. `apiKey` and `from` default to `AUTH_RESEND_KEY` and `EMAIL_FROM`. */
export default function resend(options: MailServiceOptions = {}): EmailConfig {
  return {
    id: 'resend',
    name: 'Resend',
    type: 'email',
    deliver: ({ message: { from, to, subject, html, text }, apiKey, post }) =>
      post('https://api.resend.com/emails', {
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ from, to, subject, html, text })
      }),
    options
  }
}
