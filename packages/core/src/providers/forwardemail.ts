import type { EmailConfig, MailServiceOptions } from '../model/provider-config.ts'

/**
 * Sign-in with mailed links through Forward Email. `apiKey` and `from` default to `AUTH_FORWARDEMAIL_KEY` and
 * `EMAIL_FROM`.
 */
export default function forwardEmail(options: MailServiceOptions = {}): EmailConfig {
  return {
    id: 'forwardemail',
    name: 'Forward Email',
    type: 'email',
    deliver: ({ message: { from, to, subject, html, text }, apiKey, post }) =>
      post('https://api.forwardemail.net/v1/emails', {
        headers: { authorization: `Basic ${btoa(`${apiKey}:`)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ from, to, subject, html, text })
      }),
    options
  }
}
