import { isLong, times, turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  ada,
  base,
  canSignIn,
  change,
  findUser,
  first,
  forget,
  getAddress,
  openApplication,
  openLink,
  origin,
  second,
  signInByMail,
  signUp,
  strategies
} from './password-application.ts'
import { storesAt } from './stores.ts'

const getToken = (url: string): string => new URL(url).searchParams.get('token') ?? ''

/** In `npm test` a test has one strategy on a store, and the other one on the next; in the long run each has both. */
const turns = turnsOf(strategies, t)

for (const [name, skip, open] of storesAt(0, 2))
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: sign up, reset, change, delete`, { skip }, async (t) => {
      const app = await openApplication(t, strategy, { adapter: await open(t) })
      const browser = app.newBrowser()
      await signUp(browser, ada, first)
      t.equal(await findUser(app, ada), null)
      await openLink(browser, app.mailbox.last())
      t.equal(await getAddress(browser), ada)
      const id = (await findUser(app, ada))?.id ?? ''
      const [factor] = (await app.adapter.listFactors?.(id)) ?? []
      t.match(factor, { type: 'password', id, userId: id })
      t.match(factor?.data, /^\.[\w-]+\.\$argon2id\$/, 'the hash needs no secret: docs/operations.md, "Secrets"')
      t.notMatch(factor?.data, first)
      const thief = app.newBrowser()
      t.ok(await canSignIn(thief, ada, first))
      await change(browser, { password: second })
      t.same([await getAddress(browser), await getAddress(thief)], [ada, null])
      t.notOk(await canSignIn(thief, ada, first))
      await forget(thief, ada)
      await openLink(thief, app.mailbox.last(), { password: first })
      t.equal(await getAddress(browser), null)
      t.ok(await canSignIn(browser, ada, first))
      await app.auth.deleteUser(id)
      t.same(await app.adapter.listFactors?.(id), [])
      t.notOk(await canSignIn(browser, ada, first))
    })

for (const [name, skip, open] of storesAt(1, 2))
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: links are used exactly once`, { skip }, async (t) => {
      const app = await openApplication(t, strategy, { adapter: await open(t) })
      const race = async <T>(act: (index: number) => Promise<T>): Promise<readonly T[]> =>
        Promise.all(Array.from({ length: isLong ? 50 : 8 }, (_, index) => act(index)))
      for (let round = 1; round < times(1, 20); round++) {
        const address = `round-${round}@example.com`
        const signedUp = app.newBrowser()
        await signUp(signedUp, address, first)
        const token = getToken(app.mailbox.last().url)
        const csrf = await signedUp.json<{ csrfToken: string }>(`${base}/csrf`)
        const confirmed = await race(() => signedUp.submit(`${base}/callback/password-sign-up`, { token, ...csrf }))
        t.equal(confirmed.filter(({ location }) => location === origin).length, 1, `round ${round}: a sign-up`)
        await forget(app.newBrowser(), address)
        const reset = getToken(app.mailbox.last().url)
        const strangers = await race(async () => app.newBrowser())
        const changed = await race(async (index) =>
          strangers[index]?.submit(`${base}/password/reset`, { token: reset, password: second })
        )
        const won = changed.filter((response) => /changed/.test(response?.location ?? ''))
        t.equal(won.length, 1, `round ${round}: a reset`)
      }
      const browser = app.newBrowser()
      await signUp(browser, ada, first)
      const token = getToken(app.mailbox.last().url)
      const csrf = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
      const confirmed = await race(() => browser.submit(`${base}/callback/password-sign-up`, { token, ...csrf }))
      const sessions = confirmed.filter(({ setCookies }) =>
        setCookies.some((cookie) => cookie.name.includes('session-token') && cookie.value !== '')
      )
      t.equal(sessions.length, 1)
      t.ok(await canSignIn(app.newBrowser(), ada, first))

      // The first password of a user has no version that could stop the second writer.
      const other = app.newBrowser()
      await signInByMail(other, 'grace@example.com', app.mailbox)
      await forget(other, 'grace@example.com')
      const reset = getToken(app.mailbox.last().url)
      const browsers = await race(async () => app.newBrowser())
      const chosen = (index: number): string => `the sentence of the browser ${index}`
      const changed = await race(async (index) =>
        browsers[index]?.submit(`${base}/password/reset`, { token: reset, password: chosen(index) })
      )
      const winners = changed.flatMap((response, index) => (/changed/.test(response?.location ?? '') ? [index] : []))
      t.equal(winners.length, 1)
      t.ok(await canSignIn(app.newBrowser(), 'grace@example.com', chosen(winners[0] ?? 0)))
      t.equal((await app.adapter.listEvents?.({ type: 'password-reset', limit: 100 }))?.length, times(1, 20))
    })
