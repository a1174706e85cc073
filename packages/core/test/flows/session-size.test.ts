import type { Browser } from '@postern/testkit'
import t from 'tap'
import { getSession, type Line, sessionCookie, start } from './start.ts'

// Node reads 16 kB of headers in a request (`http.maxHeaderSize`), and answers 431 beyond, to sign-out as well.
const budget = 12_000
const form = '/api/auth/callback/credentials'
const signIn = (browser: Browser) => browser.submit(form, { username: 'ada', password: 'lovelace' })

/** Claims as a directory's groups make them: about `kilobytes` of a session cookie. */
const groups = (kilobytes: number): readonly string[] =>
  Array.from({ length: kilobytes * 20 }, (_, at) => `cn=group-${String(at).padStart(4, '0')},ou=departments,o=acme`)

const logged = (log: readonly Line[], code: string): readonly Line[] => log.filter((line) => line.code === code)

const field = (browser: Browser): number =>
  browser.cookies
    .all()
    .map(({ name, value }) => `${name}=${value}; `)
    .join('').length

t.test('a session that no browser could send back is refused at sign-in, and the log names the claim', async (t) => {
  const { browser, log } = start({ callbacks: { jwt: ({ token }) => ({ ...token, groups: groups(16) }) } })
  const refused = await signIn(browser)
  t.match(refused.location, /^https:\/\/app\.test\/api\/auth\/error\?error=SessionTooLarge&ref=/)
  t.notOk(
    browser.cookies.all().some(({ name }) => name.startsWith(sessionCookie)),
    'no part of it is set'
  )
  const [line] = logged(log, 'SESSION_TOO_LARGE_ERROR')
  t.equal(line?.level, 'error')
  t.match(JSON.stringify(line), /the session takes 1\d{4} of 10000 characters; its largest claim is groups \(1\d{4} /)
  t.notMatch(JSON.stringify(log), /cn=group/, 'what the claim says is not logged')
  const page = await browser.open('/api/auth/error?error=SessionTooLarge')
  t.equal(page.status, 500)
  t.equal((await browser.open('/api/auth/signout')).status, 200)
})

t.test('a session of 9 kB is set, with one warning for all', async (t) => {
  const { browser, newBrowser, log } = start({ callbacks: { jwt: ({ token }) => ({ ...token, groups: groups(8) }) } })
  for (const each of [browser, newBrowser()]) {
    await signIn(each)
    t.match(await getSession(each), { user: { name: 'ada' } })
    t.ok(field(each) > 8000 && field(each) < budget, String(field(each)))
  }
  t.equal(logged(log, 'SESSION_LARGE').length, 1)
  const { browser: small, log: calm } = start()
  await signIn(small)
  t.same(logged(calm, 'SESSION_LARGE'), [])
})

t.test('a session that grows at a renewal continues as it was', async (t) => {
  const member = { groups: groups(0) }
  const started = start({ callbacks: { jwt: ({ token }) => ({ ...token, groups: member.groups }) } })
  const { browser, clock, log } = started
  await signIn(browser)
  const before = browser.cookies.get(sessionCookie)
  member.groups = groups(16)
  clock.advance(2 * 24 * 3600)
  t.match(await getSession(browser), { user: { name: 'ada' } })
  t.equal(browser.cookies.get(sessionCookie), before)
  t.equal(logged(log, 'SESSION_TOO_LARGE_ERROR').length, 1)
  await browser.submit('/api/auth/session', { data: '{}' })
  t.equal(browser.cookies.get(sessionCookie), before, 'so does one that is updated')
  member.groups = groups(1)
  await getSession(browser)
  t.not(browser.cookies.get(sessionCookie), before, 'it is renewed once it fits')
})

t.test('what a browser has begun gives way to the session', async (t) => {
  const started = start({ callbacks: { jwt: ({ token }) => ({ ...token, groups: groups(8) }) } })
  const { browser } = started
  const begin = () => browser.submit('/api/auth/signin/demo', { callbackUrl: `/a?${'b'.repeat(1300)}` })
  for (let tab = 0; tab < 5; tab++) await begin()
  const tabs = field(browser)
  t.ok(tabs > 4000, String(tabs))
  await signIn(browser)
  t.ok(field(browser) <= budget, String(field(browser)))
  t.match(await getSession(browser), { user: { name: 'ada' } })
  for (let tab = 0; tab < 5; tab++) await begin()
  // The newest sign-in is always kept.
  t.ok(field(browser) <= budget + 3800, String(field(browser)))
  t.ok(browser.cookies.get('__Secure-next-auth.state'))
  t.match(await getSession(browser), { user: { name: 'ada' } })
})
