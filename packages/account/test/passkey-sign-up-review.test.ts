import t from 'tap'
import { ada } from './passkey-application.ts'
import { openForSignUps, signUpWithPasskey } from './passkey-sign-up-application.ts'
import { createLimiter } from './password-application.ts'

t.test('attack: spellings of an address that is too long do not avoid the limit of its mails', async (t) => {
  const app = await openForSignUps(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const count = async (spell: (index: number) => string): Promise<number> => {
    const before = app.mailbox.mails.length
    for (let index = 0; index < 8; index++) await signUpWithPasskey(app.newBrowser(), spell(index))
    return app.mailbox.mails.length - before
  }
  t.equal(await count((index) => `${ada}${' '.repeat(330 - index)}${index}`), 0)
  t.equal(await count((index) => `${' '.repeat(index)}${ada.toUpperCase()}`), 5)
})
