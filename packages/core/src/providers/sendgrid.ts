import type { EmailConfig, MailServiceOptions } from '../model/provider-config.ts'

const named = /^([^<]*)<([^<>]+)>$/

/** Splits `App <no-reply@app.test>` into the fields that SendGrid requires. */
function getSender(from: string): { readonly email: string; readonly name?: string } {
  const text = from.trim()
  const [, before = '', email] = named.exec(text) ?? []
  if (!email) return { email: text }
  const name = before.trim().replaceAll('"', '')
  return name ? { email, name } : { email }
}

/** Sign-in with mailed links through SendGrid. `apiKey` and `from` default to `AUTH_SENDGRID_KEY` and `EMAIL_FROM`. */
export default function sendGrid(options: MailServiceOptions = {}): EmailConfig {
  return {
    id: 'sendgrid',
    name: 'SendGrid',
    type: 'email',
    deliver: ({ message: { from, to, subject, html, text }, apiKey, post }) =>
      post('https://api.sendgrid.com/v3/mail/send', {
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          personalizations: [{ to: [{ email: to }] }],
          from: getSender(from),
          subject,
          content: [
            { type: 'text/plain', value: text },
            { type: 'text/html', value: html }
          ],
          // Click tracking would route the link through another server, which could use it.
          tracking_settings: { click_tracking: { enable: false, enable_text: false }, open_tracking: { enable: false } }
        })
      }),
    options
  }
}
