import type { EmailConfig, MailServiceOptions } from '../model/provider-config.ts'

export interface MailgunOptions extends MailServiceOptions {
  /** Where the account is kept. @defaultValue `'US'` */
  readonly region?: 'US' | 'EU' | undefined
}

const hosts = { US: 'api.mailgun.net', EU: 'api.eu.mailgun.net' } as const

/** Sign-in by mailed links through Mailgun. `apiKey` and `from` default to `AUTH_MAILGUN_KEY` and `EMAIL_FROM`. */
export default function mailgun(options: MailgunOptions = {}): EmailConfig {
  return {
    id: 'mailgun',
    name: 'Mailgun',
    type: 'email',
    deliver: ({ message: { from, to, subject, html, text }, apiKey, post }) => {
      // The sending domain is that of the sender.
      const [, domain = ''] = /@([^@<>\s]+)>?\s*$/.exec(from) ?? []
      return post(`https://${hosts[options.region ?? 'US']}/v3/${encodeURIComponent(domain)}/messages`, {
        headers: { authorization: `Basic ${btoa(`api:${apiKey}`)}` },
        // A rewritten link would pass through another server, and be opened there.
        body: new URLSearchParams({ from, to, subject, html, text, 'o:tracking': 'no' })
      })
    },
    options
  }
}
