import type { EmailConfig } from '../model/provider-config.ts'

export type EmailOptions = Partial<Omit<EmailConfig, 'type' | 'options'>>

/** Sign-in by a mailed link, with a code beside it. `server` and `from` default to `EMAIL_SERVER` and `EMAIL_FROM`. */
export default function email(options: EmailOptions = {}): EmailConfig {
  return { id: 'email', name: 'Email', type: 'email', options }
}
