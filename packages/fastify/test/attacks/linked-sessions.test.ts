import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { cookieNames, openLinkPage, signInByMail } from '../start.ts'
import { accountsOf, address, getStatus, idIn, mallory, put, signIn, startGuarded, strategies, vera } from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

const stepUp = '__Secure-postern.step-up'
const html = { accept: 'text/html' }

const verify = (browser: Browser, query: string) =>
  browser.request('GET', `/api/auth/verify?${query}`, { headers: html })

for (const { value: strategy, test } of turns()) {
  // linking.freshWithin does not exceed the guard, as docs/security.md asks.
  for (const kind of ['started', 'confirmed'] as const)
    for (const silent of ['no auth_time', 'auth_time of yesterday'] as const)
      t.test(
        `${strategy}: after a silent sign-in, a ${kind} link of another account is fresh: ${silent}`,
        async (t) => {
          const started = await startGuarded(t, { session: { strategy }, linking: { freshWithin: 60 } })
          const { browser, clock, seconds } = started
          // The owner has an account. Somebody else has the browser, in which the provider does not ask.
          await signIn(started, browser, { ...vera, auth_time: seconds() })
          const id = (await idIn(browser)) ?? ''
          clock.advance(86_400)
          const auth_time = silent === 'no auth_time' ? {} : { auth_time: seconds() - 86_400 }
          await signIn(started, browser, { ...vera, ...auth_time })
          t.equal(await getStatus(browser, '/money'), 401, 'the silent sign-in is not fresh')
          const own = { ...mallory, auth_time: seconds() }
          if (kind === 'started') await signIn(started, browser, own, { link: 'true' })
          else if (silent === 'no auth_time') {
            const page = await openLinkPage(browser, await signIn(started, browser, own))
            await browser.fill(page, '/api/auth/verify/link')
          } else t.match((await signIn(started, browser, own)).location, /error=OAuthAccountNotLinked/)
          t.equal(await idIn(browser), id)
          t.equal(await getStatus(browser, '/money'), 401, 'the owner has not authenticated')
          // Without a time, the sign-in itself counts for a link.
          t.equal((await accountsOf(started, id)).includes('demo mallory'), silent === 'no auth_time')
        }
      )

  test(`${strategy}: a stolen session links an account of the thief, and has its acr`, async (t) => {
    const started = await startGuarded(t, { session: { strategy } })
    const { browser, newBrowser, clock } = started
    await signIn(started, browser, { ...vera, acr: 'silver' })
    const id = await idIn(browser)
    const thief = newBrowser()
    put(thief, cookieNames.sessionToken, browser.cookies.get(cookieNames.sessionToken), '/')
    clock.advance(300)
    t.equal(await getStatus(thief, '/gold'), 401)
    await signIn(started, thief, { ...mallory, acr: 'gold' }, { link: 'true' })
    t.equal(await idIn(thief), id)
    t.equal(await getStatus(thief, '/gold'), 401, 'the user of the session has not authenticated with this acr')
  })

  test(`${strategy}: a link that waits is confirmed during a step-up: the account of nobody completes it`, async (t) => {
    const started = await startGuarded(t, { session: { strategy } })
    const { browser, clock, seconds } = started
    await signInByMail(started, browser, address)
    const id = (await idIn(browser)) ?? ''
    clock.advance(301)
    const person = { ...mallory, acr: 'gold', auth_time: seconds() }
    const page = await openLinkPage(browser, await signIn(started, browser, person))
    await verify(browser, 'max_age=60&acr_values=gold')
    t.ok(browser.cookies.get(stepUp))
    await browser.fill(page, '/api/auth/verify/link')
    t.same(await accountsOf(started, id), [], 'nothing is linked')
    t.equal(await getStatus(browser, '/gold'), 401)
  })

  for (const what of ['revokeAll', 'expiry'] as const)
    test(`${strategy}: the session of a step-up has ended: nobody else signs in with this browser: ${what}`, async (t) => {
      const started = await startGuarded(t, { session: { strategy, maxAge: 350 } })
      const { app, browser, clock, seconds } = started
      await signIn(started, browser, vera)
      const id = (await idIn(browser)) ?? ''
      await verify(browser, 'max_age=60&acr_values=impossible')
      if (what === 'expiry') clock.advance(351)
      else await app.postern.sessions.revokeAll(id)
      t.equal(await idIn(browser), null)
      const response = await signIn(started, browser, { ...mallory, auth_time: seconds() })
      t.notMatch(response.location, /error=/, 'it is a sign-in like any other')
      t.not(await idIn(browser), id)
    })

  test(`${strategy}: the page to authenticate again sets a cookie that browsers ignore`, async (t) => {
    const started = await startGuarded(t, { session: { strategy } })
    const { browser } = started
    await signInByMail(started, browser, address)
    const values = Array.from({ length: 500 }, (_, index) => `v${index}`).join('+')
    t.ok((await verify(browser, `acr_values=${values}`)).status < 500)
  })
}
