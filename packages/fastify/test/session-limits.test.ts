import { memoryAdapter } from '@postern/adapters/memory'
import type { Browser } from '@postern/testkit'
import t from 'tap'
import { getSession, secret, signInByForm, signInByMail, start } from './start.ts'

const isSignedIn = async (browser: Browser): Promise<boolean> => (await getSession(browser)).user !== undefined

/** What tests of one process count; the records of a sign-in have the time of the clock. */
const stays = 'they count the calls of one adapter'

for (const strategy of ['jwt', 'database'] as const) {
  t.test(`${strategy}: a sign-in beyond maxPerUser ends the oldest session of its user`, async (t) => {
    const { clock, newBrowser, browser: other, app } = await start(t, { session: { strategy, maxPerUser: 2 }, stays })
    await signInByForm(other, 'ada')
    const browsers = [newBrowser(), newBrowser(), newBrowser()]
    for (const browser of browsers) {
      clock.advance(1)
      await signInByForm(browser)
    }
    t.same(await Promise.all(browsers.map(isSignedIn)), [false, true, true])
    t.equal(await isSignedIn(other), true, 'the session of another user')

    clock.advance(1)
    const [, second, third] = browsers
    if (third) await signInByForm(third)
    t.same(await Promise.all(browsers.map(isSignedIn)), [false, true, true], 'a browser replaces its own session')
    clock.advance(1)
    const { location } = await signInByForm(newBrowser())
    t.notMatch(location, /error/)
    t.equal(second && (await isSignedIn(second)), false)
    if (strategy === 'jwt') t.equal((await app.postern.sessions.list('id-grace')).length, 2)
  })

  t.test(`${strategy}: a sign-in whose sessions cannot be counted creates none`, async (t) => {
    const { browser, newBrowser, store } = await start(t, { session: { strategy, maxPerUser: 1 }, stays })
    await signInByForm(browser)
    const other = newBrowser()
    store.breakDown('getSessionRecords')
    t.equal((await signInByForm(other)).status, 503)
    store.restore()
    t.equal(await isSignedIn(other), false)
    t.equal(await isSignedIn(browser), true, 'the other session did not make way for it')
  })

  t.test(`${strategy}: a session ends if it was not used for idleTimeout, and not while it is used`, async (t) => {
    const { browser, clock } = await start(t, { session: { strategy, idleTimeout: 600 }, stays })
    await signInByForm(browser)
    for (let uses = 0; uses < 20; uses++) {
      clock.advance(590)
      t.equal(await isSignedIn(browser), true)
    }
    clock.advance(59)
    t.equal(await isSignedIn(browser), true, 'too soon to be recorded')
    const copy = browser.cookies.clone()
    clock.advance(600 - 59 - 1)
    t.equal(await isSignedIn(browser), true)
    clock.advance(611)
    t.equal(await isSignedIn(browser), false)
    for (const { name, value } of copy.all()) browser.cookies.set(name, value, { secure: true })
    t.equal(await isSignedIn(browser), false, 'also if the cookie is still there')
  })

  t.test(`${strategy}: the absolute limit applies beside idleTimeout`, async (t) => {
    const { browser, clock } = await start(t, { session: { strategy, idleTimeout: 600, absoluteMaxAge: 1000 }, stays })
    await signInByForm(browser)
    for (const seconds of [500, 499]) {
      clock.advance(seconds)
      t.equal(await isSignedIn(browser), true)
    }
    clock.advance(1)
    t.equal(await isSignedIn(browser), false)
  })

  t.test(`${strategy}: idleTimeout applies to sessions from before it was set`, async (t) => {
    const adapter = memoryAdapter()
    const before = await start(t, { adapter, session: { strategy }, secret, stays })
    await signInByMail(before, before.browser)
    const { browser, clock } = await start(t, { adapter, session: { strategy, idleTimeout: 600 }, secret, stays })
    for (const { name, value } of before.browser.cookies.all()) browser.cookies.set(name, value, { secure: true })
    t.equal(await isSignedIn(browser), true)
    clock.advance(661)
    t.equal(await isSignedIn(browser), false)
  })

  t.test(`${strategy}: without the options, nothing is counted, and no read writes`, async (t) => {
    const { browser, clock, store } = await start(t, { session: { strategy }, stays })
    await signInByForm(browser)
    t.equal(store.count('listSessions') + store.count('getSessionRecords'), 0)
    store.forget()
    clock.advance(3600)
    t.equal(await isSignedIn(browser), true)
    t.equal(store.count('updateSession') + store.count('putSessionRecord') + store.count('getSessionRecords'), 0)
  })
}
