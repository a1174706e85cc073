import type { EmailConfig, MailServiceOptions } from '../model/provider-config.ts'

/** The options of the Mailgun provider. */
export interface MailgunOptions extends MailServiceOptions {
  /** The region of the account. @defaultValue `'US'` */
  readonly region?: 'US' | 'EU' | undefined
}

const hosts = { US: 'api.mailgun.net', EU: 'api.eu.mailgun.net' } as const

/** Sign-in with mailed links through Mailgun. `apiKey` and `from` default to `AUTH_MAILGUN_KEY` and `EMAIL_FROM`. */
export default function mailgun(options: MailgunOptions = {}): EmailConfig {
  return {
    id: 'mailgun',
    name: 'Mailgun',
    type: 'email',
    deliver: ({ message: { from, to, subject, html, text }, apiKey, post }) => {
      // The sending domain is the one of the sender's address.
      const [, domain = ''] = /@([^@<>\s]+)>?\s*$/.exec(from) ?? []
      return post(`https://${hosts[options.region ?? 'US']}/v3/${encodeURIComponent(domain)}/messages`, {
        headers: { authorization: `Basic ${btoa(`api:${apiKey}`)}` },
        // Click tracking would route the link through another server, which could use it.
        body: new URLSearchParams({ from, to, subject, html, text, 'o:tracking': 'no' })
      })
    },
    options
  }
}
