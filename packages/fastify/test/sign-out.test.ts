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

t.test('a visitor cannot end the session of another (A26)', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  const { browser, newBrowser, store } = started
  await signInByMail(started, browser)
  const token = browser.cookies.get(cookieNames.sessionToken) ?? ''
  const [created] = store.calls.filter(({ method }) => method === 'createSession').map(({ args }) => args[0])
  const { sessionToken, userId } = created as { readonly sessionToken: string; readonly userId: string }
  for (const value of [sessionToken, userId, token.slice(0, -1), `${token}x`, sessionToken.replace('h1.', '')]) {
    const attacker = newBrowser()
    attacker.cookies.set(cookieNames.sessionToken, value)
    await attacker.submit('/api/auth/signout', { userId, sessionToken, id: userId, sub: userId })
  }
  t.equal(store.count('deleteSession'), 0)
  t.match(await getSession(browser), { user: { email: 'ada@example.com' } })
})

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

const hostile = [
  'https://evil.test',
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/\t/evil.test',
  'https:evil.test',
  'https:/evil.test',
  'https:///evil.test',
  'https://app.test.evil.test',
  'https://app.test@evil.test',
  'https://app.testevil.test',
  'https://evil.test#https://app.test',
  'https://evil.test/?https://app.test',
  'https://user:pass@app.test/',
  'http://app.test/',
  'https://app.test:8443/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://app.test/x',
  'file:///etc/passwd',
  'http://[',
  '%',
  '\u0000',
  'https://app.test\u0000.evil.test',
  '..//evil.test/..',
  '/api/auth/signin',
  '/api/auth/signout?x=1',
  `/${'x'.repeat(3000)}`
]

t.test('callbackUrl never leads away from Postern’s origin, nor in a circle (A03, A05, A20–A22, A43)', async (t) => {
  const { browser } = await start(t, { rateLimit: false })
  const inOrigin = (location: string | null): boolean => new URL(location ?? '', origin).origin === origin
  for (const callbackUrl of hostile) {
    const name = JSON.stringify(callbackUrl.slice(0, 40))
    const out = await browser.submit('/api/auth/signout', { callbackUrl })
    t.ok(inOrigin(out.location) && out.status === 302, `sign-out: ${name}`)
    const signIn = { username: 'grace', password: 'lovelace', callbackUrl }
    const inside = await browser.submit('/api/auth/callback/credentials', signIn)
    t.ok(inOrigin(inside.location) && inside.status === 302, `sign-in: ${name}`)
    t.notMatch(inside.location, /\/api\/auth\//)

    browser.cookies.set(cookieNames.callbackUrl, encodeURIComponent(callbackUrl), { secure: true, httpOnly: true })
    const remembered = await browser.submit('/api/auth/signout', {})
    t.ok(inOrigin(remembered.location), `from the cookie: ${name}`)
    for (const path of ['/signin', '/signout', '/verify-request', '/error']) {
      const page = await browser.open(`/api/auth${path}?${new URLSearchParams({ callbackUrl })}`)
      const links = page.html().querySelectorAll('a[href], form[action], input[name=callbackUrl]')
      for (const link of links) {
        const target = link.getAttribute('href') ?? link.getAttribute('action') ?? link.getAttribute('value') ?? ''
        t.ok(inOrigin(target), `${path}: ${name}: ${target}`)
      }
    }
  }
})

t.test('the redirect callback may allow other origins, and an error means the default', async (t) => {
  const redirect = ({ url, baseUrl }: { readonly url: string; readonly baseUrl: string }) => {
    if (url.includes('broken')) throw new Error('no')
    return url.startsWith('https://docs.test/') ? url : baseUrl
  }
  const { browser } = await start(t, { callbacks: { redirect } })
  const to = async (callbackUrl: string) => (await browser.submit('/api/auth/signout', { callbackUrl })).location
  t.equal(await to('https://docs.test/start'), 'https://docs.test/start')
  t.equal(await to('https://evil.test/'), origin)
  t.equal(await to('/broken'), origin)
})
