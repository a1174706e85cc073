import type { EmailConfig } from '../model/provider-config.ts'

/** The options of the email provider. */
export type EmailOptions = Partial<Omit<EmailConfig, 'type' | 'options'>>

/** Sign-in with a mailed link and code. `server` and `from` default to `EMAIL_SERVER` and `EMAIL_FROM`. */
export default function email(options: EmailOptions = {}): EmailConfig {
  return { id: 'email', name: 'Email', type: 'email', options }
}
