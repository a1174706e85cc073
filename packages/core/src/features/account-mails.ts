import type { ByLanguage } from '../model/feature-page.ts'
import type { MailTexts } from './feature-mailer.ts'

/** The id of the mail to the owner of an address that a new account at a provider has. */
export const unlinkedMail = { known: 'postern/account-exists', unknown: 'postern/no-account' } as const

/** The mails about accounts, by id. The values are `provider`, `site` and `url`. */
export const accountMails: ReadonlyMap<string, ByLanguage<MailTexts>> = new Map([
  [
    unlinkedMail.known,
    {
      en: {
        subject: 'Sign-in to {site} with {provider}',
        text: `Someone tried to sign in to {site} with {provider} and your email address.
You already have an account, and {provider} is not connected to it. Sign in as you did before; then you can connect {provider}.
If it was not you, ignore this email. Nobody has been signed in.`,
        button: 'Go to the sign-in page'
      },
      de: {
        subject: 'Anmeldung bei {site} mit {provider}',
        text: `Jemand wollte sich mit {provider} und Ihrer Adresse bei {site} anmelden.
Sie haben bereits ein Konto, das nicht mit {provider} verbunden ist. Melden Sie sich wie bisher an; danach können Sie {provider} verbinden.
Wenn Sie das nicht waren, ignorieren Sie diese Nachricht. Niemand wurde angemeldet.`,
        button: 'Zur Anmeldeseite'
      }
    }
  ],
  [
    unlinkedMail.unknown,
    {
      en: {
        subject: 'Sign-in to {site} with {provider}',
        text: `Someone tried to sign in to {site} with {provider} and this email address, which {provider} has not verified.
There is no account with this address. To create one, sign in by email; then you can connect {provider}.
If it was not you, ignore this email. No account has been created.`,
        button: 'Go to the sign-in page'
      },
      de: {
        subject: 'Anmeldung bei {site} mit {provider}',
        text: `Jemand wollte sich mit {provider} und dieser Adresse bei {site} anmelden; {provider} hat die Adresse nicht bestätigt.
Mit dieser Adresse gibt es kein Konto. Um eines anzulegen, melden Sie sich mit dieser Adresse an, ohne {provider}; danach können Sie {provider} verbinden.
Wenn Sie das nicht waren, ignorieren Sie diese Nachricht. Es wurde kein Konto angelegt.`,
        button: 'Zur Anmeldeseite'
      }
    }
  ]
])
