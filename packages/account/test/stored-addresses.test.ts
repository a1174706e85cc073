import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  base,
  canSignIn,
  comeBack,
  forget,
  getAddress,
  openAccountApplication,
  openLink,
  second,
  signInByMail,
  strategies
} from './account-application.ts'
import { storesAt } from './stores.ts'

const turns = turnsOf(strategies, t)
const stored = 'Ada.Lovelace@Example.com'
const typed = 'ada.lovelace@example.com'

for (const [name, skip, open] of storesAt(0, 2))
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: whose address is stored with capitals reaches their user`, { skip }, async (t) => {
      const adapter = await open(t)
      const user = await adapter.createUser?.({ name: 'Ada', email: stored, emailVerified: new Date() })
      const application = await openAccountApplication(t, strategy, { adapter })
      const { auth, logged, newBrowser, mailbox } = application
      const getUsers = async (): Promise<readonly unknown[]> =>
        ((await adapter.listUsers?.({ after: null, limit: 10 })) ?? []).map(({ id, name }) => [id, name])

      const mailed = newBrowser()
      await signInByMail(mailed, 'Ada.Lovelace@Example.com', mailbox)
      t.equal(await getAddress(mailed), stored, 'by mail')

      await forget(newBrowser(), typed)
      await openLink(newBrowser(), mailbox.last(), { password: second })
      const withPassword = newBrowser()
      await canSignIn(withPassword, typed, second)
      t.equal(await getAddress(withPassword), stored, 'with a password, after a reset')

      const atProvider = newBrowser()
      const started = await atProvider.submit(`${base}/signin/acme`, {})
      const person = { sub: 'ada', name: 'Ada', email: typed, email_verified: true }
      t.match((await comeBack(application, atProvider, started, person)).location, /OAuthAccountNotLinked/)
      t.same(await getUsers(), [[user?.id, 'Ada']], 'one user')

      await auth.close()
      const hasRowsAtStart = !['memory', 'without transactions'].includes(name)
      t.equal(logged.filter(([code]) => code === 'ADDRESS_NOT_LOWER_CASE').length, hasRowsAtStart ? 1 : 0, 'the log')
    })

for (const [name, skip, open] of storesAt(1, 2))
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: nobody is signed in if several users match`, { skip }, async (t) => {
      const adapter = await open(t)
      const { newBrowser, mailbox, logged } = await openAccountApplication(t, strategy, { adapter })
      for (const email of ['Ada@Example.com', 'ADA@example.com'])
        await adapter.createUser?.({ name: 'Ada', email, emailVerified: new Date() })
      const browser = newBrowser()
      const response = await browser.submit(`${base}/signin/email`, { email: 'ada@example.com' })
      t.equal(response.status, 409)
      t.match(response.body, /contradicts/)
      t.equal(mailbox.mails.length, 0)
      t.match(new Map(logged).get('adapter_error_getUserByEmail'), { name: 'AmbiguousAddressError' })
      t.ok(new Map(logged).has('STORE_CONFLICT_ERROR'))
      t.equal((await adapter.listUsers?.({ after: null, limit: 10 }))?.length, 2)
    })
