import type { Browser, BrowserResponse } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { requireSession } from '../../src/index.ts'
import { cookieNames, origin, type StartOptions, signInByForm, signInByMail } from '../start.ts'
import { isSignedIn, thief } from '../start-with-session-records.ts'
import { answer, getId, interrupted, putCookie, startGated, stepUpCookie } from './pending-setup.ts'
import { idIn, mallory, script, signIn, strategies, vera, withId } from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

const html = { accept: 'text/html' }
/** Another site; `https:evil.test` is a path of this one. */
const evil = /(?<!app\.test\/|app\.test%2F)evil\.test/

/** An application with guards that need more than a session. */
async function startGuarded(t: Test, options: StartOptions = {}) {
  const before: StartOptions['before'] = (app) =>
    app.after(() => {
      app.get('/money', { onRequest: requireSession.with({ freshWithin: 300 }) }, async () => 'money')
      app.get('/vault', { onRequest: requireSession.with({ amr: ['mfa'] }) }, async () => 'vault')
      app.get('/gold', { onRequest: requireSession.with({ acr: ['gold'] }) }, async () => 'gold')
      app.get('/authentication', async (request) => ({ authentication: await request.getAuthentication() }))
    })
  return startGated(t, { before, ...options })
}

const read = async (browser: Browser): Promise<unknown> =>
  (await browser.json<{ authentication: unknown }>('/authentication')).authentication

const open = (browser: Browser, path: string, headers: Readonly<Record<string, string>> = html) =>
  browser.request('GET', path, { headers })

const isOpen = async (browser: Browser, path = '/money'): Promise<boolean> =>
  (await open(browser, path, script)).status === 200

/** Opens a guarded page, up to the page that asks to authenticate again. */
async function openVerification(browser: Browser, path = '/money'): Promise<BrowserResponse> {
  const { location } = await open(browser, path)
  const url = new URL(location ?? '')
  return open(browser, `${url.pathname}${url.search}`)
}

for (const { value: strategy, test } of turns()) {
  const session = { strategy }

  test(`${strategy}: an interruption is due during a step-up, and nothing is raised before it has passed`, async (t) => {
    const started = await startGuarded(t, { session })
    const { browser, clock, gate } = started
    await signInByForm(browser, 'vera')
    clock.advance(301)
    const token = browser.cookies.get(cookieNames.sessionToken)
    const before = await read(browser)
    gate.isDue = true
    await openVerification(browser)
    t.equal((await signInByForm(browser, 'vera')).location, interrupted)
    t.equal(gate.asked.at(-1)?.isStepUp, true)
    t.equal((await answer(browser, 'no')).status, 403)
    t.notOk(await isOpen(browser), 'closed')
    t.same(await read(browser), before)
    t.equal(browser.cookies.get(cookieNames.sessionToken), token, 'the session stays')
    t.equal((await answer(browser)).location, `${origin}/money`)
    t.ok(await isOpen(browser))
    t.not(browser.cookies.get(cookieNames.sessionToken), token)
  })

  test(`${strategy}: a step-up raises one session, not another one of the user, and no copy of the old one`, async (t) => {
    const started = await startGuarded(t, { session })
    const { browser, newBrowser, clock } = started
    const other = newBrowser()
    for (const each of [browser, other]) await signInByForm(each, 'vera')
    clock.advance(301)
    const copy = thief(started, browser)
    const before = await read(other)
    await openVerification(browser)
    t.equal((await signInByForm(browser, 'vera')).location, `${origin}/money`)
    t.ok(await isOpen(browser))
    t.notOk(await isOpen(other), 'another browser of the user')
    t.same(await read(other), before)
    clock.advance(1)
    t.notOk(await isOpen(copy), 'a copy of the old session')
    t.notOk(await isSignedIn(copy), 'which has ended')
    const stolen = newBrowser()
    stolen.cookies.set(cookieNames.sessionToken, other.cookies.get(cookieNames.sessionToken) ?? '', { secure: true })
    await openVerification(stolen)
    t.notOk(await isOpen(stolen), 'the page raises nothing by itself')
  })

  test(`${strategy}: the session ends during a step-up`, async (t) => {
    const endings: Readonly<Record<string, (started: Awaited<ReturnType<typeof startGuarded>>) => unknown>> = {
      revokeAll: async (started) => started.app.postern.sessions.revokeAll(await getId(started, 'vera@example.com')),
      suspension: async (started) => started.app.postern.users.suspend(await getId(started, 'vera@example.com')),
      deletion: async (started) => started.app.postern.deleteUser(await getId(started, 'vera@example.com')),
      'sign-out': ({ browser }) => browser.submit('/api/auth/signout', {})
    }
    for (const [what, end] of Object.entries(endings)) {
      const started = await startGuarded(t, { session })
      const { browser, clock, gate } = started
      await signInByForm(browser, 'vera')
      clock.advance(301)
      gate.isDue = true
      await openVerification(browser)
      await signInByForm(browser, 'vera')
      await end(started)
      t.not((await answer(browser)).location, `${origin}/money`, what)
      t.equal(await idIn(browser), null, what)
      t.notOk(await isOpen(browser), what)
    }
  })

  test(`${strategy}: /verify is no open redirect`, async (t) => {
    const started = await startGuarded(t, { session, linking: { freshWithin: false } })
    const { newBrowser, clock, gate } = started
    const known = newBrowser()
    await signInByForm(known, 'vera')
    clock.advance(301)
    for (const url of [
      'https://evil.test/',
      '//evil.test/',
      '/\\evil.test/',
      '\\\\evil.test',
      'https:evil.test',
      `${origin}@evil.test/`,
      `${origin}.evil.test/`,
      'javascript:alert(1)//',
      ' https://evil.test',
      'https://evil.test%00.app.test/'
    ])
      for (const query of [
        `callbackUrl=${encodeURIComponent(url)}`,
        `max_age=1&callbackUrl=${encodeURIComponent(url)}`
      ]) {
        const path = `/api/auth/verify?${query}`
        const stranger = newBrowser()
        for (const headers of [html, script]) {
          t.notMatch((await open(stranger, path, headers)).location ?? '', evil, url)
          const shown = await open(known, path, headers)
          t.equal(shown.status, 200, url)
          t.notMatch(shown.body, evil, url)
        }
        gate.isDue = false
        const done = await signInByForm(known, 'vera')
        t.notMatch(done.location, evil, url)
        gate.isDue = true
        const pending = newBrowser()
        await signInByForm(pending, 'vera')
        t.notMatch((await open(pending, path)).location, evil, url)
        gate.isDue = false
        t.notMatch((await open(pending, path)).location, evil, url)
      }
  })

  test(`${strategy}: another user who signs in by a script of the page during a step-up is not signed in`, async (t) => {
    const { browser, clock } = await startGuarded(t, { session, callbacks: withId })
    await signInByForm(browser, 'vera')
    const id = await idIn(browser)
    clock.advance(301)
    const described = await open(browser, '/api/auth/verify?max_age=300', script)
    t.equal(described.status, 200)
    // What next-auth's client sends: it reports success for 200 without an error in the URL.
    const byScript = (username: string): Promise<BrowserResponse> =>
      browser.submit('/api/auth/callback/credentials', { username, password: 'lovelace', json: 'true' })
    const refused = await byScript('grace')
    t.not(refused.status, 200)
    t.match(refused.json(), { url: /error=DifferentUser/ })
    t.equal(await idIn(browser), id, 'the session stays')
    t.notOk(await isOpen(browser))
    t.equal((await byScript('vera')).status, 200)
    t.ok(await isOpen(browser))
    await browser.submit('/api/auth/signout', { json: 'true' })
    t.equal(browser.cookies.get(stepUpCookie), null)
    t.equal((await byScript('grace')).status, 200, 'after sign-out another user may')
  })

  test(`${strategy}: the client states neither when nor how it was authenticated`, async (t) => {
    const seconds = (now: number): number => Math.floor(now / 1000)
    const started = await startGuarded(t, {
      session,
      linking: { freshWithin: false },
      callbacks: { jwt: ({ token, session: sent }) => ({ ...token, ...(typeof sent === 'object' ? sent : {}) }) }
    })
    const { browser, clock } = started
    const stated = {
      amr: 'mfa',
      acr: 'gold',
      acr_values: 'gold',
      auth_time: String(seconds(clock.now())),
      authTime: String(clock.now()),
      max_age: '99999',
      freshWithin: '99999',
      authentication: '{"amr":["mfa"]}',
      session_auth: '{"amr":["mfa"]}'
    }
    await browser.submit('/api/auth/callback/credentials', { username: 'vera', password: 'lovelace', ...stated })
    t.match(await read(browser), { amr: ['pwd'], provider: { id: 'credentials', acr: null, amr: [] } })
    clock.advance(301)
    const before = await read(browser)
    const nested = { ...stated, authentication: { amr: ['mfa'], authTime: clock.now() }, provider: { acr: 'gold' } }
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    for (const data of [stated, nested, { user: nested }, [nested]])
      await browser.request('POST', '/api/auth/session', {
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ csrfToken, data, ...stated })
      })
    t.same(await read(browser), before, 'an update changes nothing')
    for (const path of ['/money', '/vault', '/gold'])
      for (const query of [stated, {}]) t.notOk(await isOpen(browser, `${path}?${new URLSearchParams(query)}`), path)
    await open(browser, `/api/auth/verify?${new URLSearchParams({ max_age: '99999', amr: 'pwd', callbackUrl: '/' })}`)
    const sent = await browser.submit('/api/auth/signin/demo', { ...stated, prompt: 'none' })
    t.not(new URL(sent.location ?? '').searchParams.get('prompt'), 'none')
    await signIn(started, browser, vera)
    for (const path of ['/money', '/vault', '/gold']) t.notOk(await isOpen(browser, path), `${path}: silent`)
  })

  test(`${strategy}: a page that asks for less does not open the guard`, async (t) => {
    const { browser, clock } = await startGuarded(t, { session })
    await signInByForm(browser, 'vera')
    clock.advance(301)
    await open(browser, `/api/auth/verify?callbackUrl=${origin}/vault`)
    await signInByForm(browser, 'vera')
    t.ok(await isOpen(browser, '/money'))
    for (const path of ['/vault', '/gold']) t.notOk(await isOpen(browser, path), path)
  })

  test(`${strategy}: a sign-in of another user waits in the browser: it does not take part in a step-up`, async (t) => {
    const started = await startGuarded(t, { session, callbacks: withId })
    const { browser, clock, gate, newBrowser } = started
    await signInByForm(browser, 'vera')
    const id = await idIn(browser)
    clock.advance(301)
    gate.isDue = true
    t.equal((await signInByForm(browser, 'grace')).location, interrupted)
    const page = await openVerification(browser)
    t.match(page.body, 'Confirm that it is you', 'the page of the guard')
    t.match(page.body, 'vera')
    t.match((await answer(browser)).location, /error=DifferentUser/)
    t.equal(await idIn(browser), id, 'the session stays')
    gate.isDue = false
    t.match((await browser.open('/api/auth/verify')).location, /error=DifferentUser/)
    t.equal(await idIn(browser), id)
    t.equal((await signInByForm(browser, 'vera')).location, `${origin}/money`)
    // Without a step-up, it is a sign-in like any other.
    gate.isDue = true
    const plain = newBrowser()
    await signInByForm(plain, 'grace')
    t.equal((await answer(plain)).location, origin)
  })

  test(`${strategy}: the cookie of a step-up is put into another browser`, async (t) => {
    const { browser, newBrowser, clock } = await startGuarded(t, { session, callbacks: withId })
    await signInByForm(browser, 'vera')
    clock.advance(301)
    await openVerification(browser)
    const victim = newBrowser()
    await signInByForm(victim, 'grace')
    const id = await idIn(victim)
    putCookie(victim, browser.cookies.get(stepUpCookie) ?? '', stepUpCookie)
    t.equal(await idIn(victim), id, 'it is no session')
    t.equal((await signInByForm(victim, 'grace')).location, origin, 'nor a reason to refuse another user')
    t.equal(victim.cookies.get(stepUpCookie), null, 'the sign-in removes it')
  })

  test(`${strategy}: the account and the mailbox of another user complete no step-up that waits`, async (t) => {
    const started = await startGuarded(t, { session, linking: { signedIn: 'link', freshWithin: false } })
    const { browser, clock, gate } = started
    await signInByForm(browser, 'vera')
    const id = await idIn(browser)
    clock.advance(301)
    gate.isDue = true
    for (const enter of [
      () => signIn(started, browser, { ...mallory, auth_time: Math.floor(clock.now() / 1000) }, { link: 'true' }),
      () => signInByMail(started, browser, 'mallory@evil.test'),
      () => signInByForm(browser, 'mallory')
    ]) {
      await openVerification(browser)
      t.match((await enter()).location, /error=DifferentUser/, 'before it waits')
      t.not((await answer(browser)).location, `${origin}/money`)
      t.equal(await idIn(browser), id)
    }
  })
}
