// What every application of the tests has. Processes of their own import only this: `start.ts` loads the whole testkit.
import credentials from '@postern/core/providers/credentials'
import email, { type EmailOptions } from '@postern/core/providers/email'

export const origin = 'https://app.test'
export const secret = 'a secret of the tests, 32 characters or more'

export const people = credentials({
  credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
  authorize: ({ username, password }) =>
    password === 'lovelace' ? { id: `id-${username}`, name: username, email: `${username}@example.com` } : null
})

/** The mails of the application: the mailbox replaces a server. */
export function mails(options: EmailOptions = {}) {
  return email({ server: 'smtp://mail.test', from: 'App <no-reply@app.test>', ...options })
}
