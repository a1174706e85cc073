import t from 'tap'
import { cookieNames, getSession, origin, signInByForm, signInByMail, start } from './start.ts'

for (const strategy of ['jwt', 'database'] as const) {
  t.test(
    `${strategy}: the button of the page ends the session in the browser and on the server, and shows it`,
    async (t) => {
      const reported: object[] = []
      const events = { signOut: (payload: object) => void reported.push(payload) }
      const { browser, newBrowser, store } = await start(t, { session: { strategy }, events })
      await signInByForm(browser)
      const cookieBefore = browser.cookies.get(cookieNames.sessionToken) ?? ''
      const page = await browser.open('/api/auth/signout?callbackUrl=/bye')
      const done = await browser.fill(page, '/api/auth/signout')
      t.same({ status: done.status, location: done.location }, { status: 302, location: `${origin}/bye` })
      t.notOk(browser.cookies.get(cookieNames.sessionToken))
      t.same(await getSession(browser), {})
      t.match(reported, strategy === 'jwt' ? [{ token: { name: 'grace' } }] : [{ session: { userId: String } }])
      if (strategy === 'jwt') return
      t.equal(store.count('deleteSession'), 1)
      const replayed = newBrowser()
      replayed.cookies.set(cookieNames.sessionToken, cookieBefore)
      t.same(await getSession(replayed), {}, 'a copy of the cookie is worth nothing (A54)')
    }
  )

  t.test(`${strategy}: signing out signed out is not a mistake`, async (t) => {
    const reported: object[] = []
    const events = { signOut: (payload: object) => void reported.push(payload) }
    const { browser } = await start(t, { session: { strategy }, events })
    t.equal((await browser.submit('/api/auth/signout', {})).location, origin)
    browser.cookies.set(cookieNames.sessionToken, 'forged', { secure: true, httpOnly: true })
    t.equal((await browser.submit('/api/auth/signout', {})).location, origin)
    t.notOk(browser.cookies.get(cookieNames.sessionToken), 'an invalid session cookie is cleared')
    t.same(reported, [])
  })

  t.test(`${strategy}: a failing listener does not prevent the sign-out`, async (t) => {
    const events = { signOut: () => Promise.reject(new Error('the audit log is full')) }
    const { browser, log } = await start(t, { session: { strategy }, events })
    await signInByForm(browser)
    t.equal((await browser.submit('/api/auth/signout', {})).location, origin)
    t.same(await getSession(browser), {})
    t.ok(log.some((line) => line.includes('SIGN_OUT_EVENT_ERROR')))
  })
}

t.test('the other sessions of a user remain valid', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  const phone = started.newBrowser()
  await signInByMail(started, started.browser)
  await signInByMail(started, phone)
  await phone.submit('/api/auth/signout', {})
  t.match(await getSession(started.browser), { user: { email: 'ada@example.com' } })
})

t.test('csrf-1: GET never signs out', async (t) => {
  const { browser } = await start(t)
  await signInByForm(browser)
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  await browser.open(`/api/auth/signout?csrfToken=${csrfToken}&callbackUrl=/bye`)
  t.match(await getSession(browser), { user: { name: 'grace' } })
})
