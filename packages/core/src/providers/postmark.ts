import type { EmailConfig, MailServiceOptions } from '../model/provider-config.ts'

/** Sign-in with mailed links through Postmark. `apiKey` and `from` default to `AUTH_POSTMARK_KEY` and `EMAIL_FROM`. */
export default function postmark(options: MailServiceOptions = {}): EmailConfig {
  return {
    id: 'postmark',
    name: 'Postmark',
    type: 'email',
    deliver: ({ message: { from, to, subject, html, text }, apiKey, post }) =>
      post('https://api.postmarkapp.com/email', {
        headers: { 'x-postmark-server-token': apiKey, accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({
          From: from,
          To: to,
          Subject: subject,
          TextBody: text,
          HtmlBody: html,
          MessageStream: 'outbound'
        })
      }),
    options
  }
}
