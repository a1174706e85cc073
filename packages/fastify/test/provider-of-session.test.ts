import { ada, type Browser, createClock, createIssuer, type Issuer } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { demoIssuer, fromAfar, getSession, mails, origin, signInAtIssuer, signInByMail } from './start.ts'
import { type Kept, startWithRecords } from './start-with-session-records.ts'

interface Two extends Kept {
  readonly other: Issuer
  readonly signInAtOther: (browser: Browser) => Promise<unknown>
  readonly later: () => void
}

/** An application with two providers, at both of which Ada has an account. */
async function startWithTwo(t: Test, strategy: 'jwt' | 'database'): Promise<Two> {
  const clock = createClock()
  const issuer = createIssuer({ clock })
  const other = createIssuer({ clock, issuer: 'https://other.test' })
  const both = [issuer, other]
  const started = await startWithRecords(t, {
    session: { strategy },
    providers: [
      { ...demoIssuer(issuer), verifiesEmail: true },
      { ...demoIssuer(other), id: 'other', verifiesEmail: true, allowDangerousEmailAccountLinking: true },
      mails()
    ],
    runtime: {
      now: clock.now,
      fetch: async (url, init) => {
        const requested = both.find((one) => url.startsWith(`${one.issuer}/`))
        return requested ? requested.fetch(url, init) : Promise.reject(new TypeError('fetch failed'))
      }
    }
  })
  const signInAtOther = async (browser: Browser): Promise<unknown> => {
    const response = await browser.submit('/api/auth/signin/other', {})
    return browser.open(await other.authorize(response.location ?? ''), { headers: fromAfar })
  }
  const later = (): void => {
    clock.advance(60)
    started.clock.advance(60)
  }
  return { ...started, issuer, other, signInAtOther, later }
}

/** The redirect URL of a sign-out, without its parameters. */
async function getLogoutUrl(browser: Browser, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const away = await browser.submit('/api/auth/signout', { callbackUrl: '/bye', provider: 'true', ...fields })
  const url = new URL(away.location ?? '')
  return url.origin + url.pathname
}

for (const { value: strategy, test } of turnsOf(['jwt', 'database'] as const, t)()) {
  test(`${strategy}: the provider of the session is used, not the last one`, async (t) => {
    const two = await startWithTwo(t, strategy)
    const { browser, newBrowser, issuer, other } = two
    await signInAtIssuer(two, browser)
    two.later()
    const second = newBrowser()
    await two.signInAtOther(second)
    t.ok((await getSession(second)).user)
    const user = await two.adapter.getUserByEmail?.('ada@example.com')
    t.equal((await two.adapter.getAccounts?.(user?.id ?? ''))?.length, 2, 'one user')
    t.equal(await getLogoutUrl(browser), issuer.metadata.end_session_endpoint)
    t.equal(await getLogoutUrl(second), other.metadata.end_session_endpoint)
  })

  test(`${strategy}: a user of an email sign-in is redirected to no provider, unless one is named`, async (t) => {
    const two = await startWithTwo(t, strategy)
    const { browser, newBrowser, issuer } = two
    await signInAtIssuer(two, browser)
    const byMail = newBrowser()
    await signInByMail(two, byMail)
    t.equal(await getLogoutUrl(byMail), `${origin}/bye`)
    await signInByMail(two, byMail)
    t.equal(await getLogoutUrl(byMail, { provider: 'demo' }), issuer.metadata.end_session_endpoint)
  })
}

t.test('of two accounts at a provider the one of the session is the hint', async (t) => {
  const started = await startWithRecords(t, { session: { strategy: 'database' } })
  const { issuer, browser, newBrowser, clock } = started
  const signInAs = async (by: Browser, sub: string, sid: string): Promise<void> => {
    clock.advance(60)
    issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid })
    await signInAtIssuer(started, by, { ...ada, sub })
  }
  await signInAs(browser, 'ada', 'sid-1')
  const other = newBrowser()
  await signInAs(other, 'ada', 'sid-2')
  await signInAs(other, 'ada-at-work', 'sid-3')
  await signInAs(browser, 'ada', 'sid-4')
  await signInAs(other, 'ada-at-work', 'sid-5')
  const away = await browser.submit('/api/auth/signout', { provider: 'true' })
  const hint = new URL(away.location ?? '').searchParams.get('id_token_hint') ?? ''
  t.match(JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString()), { sub: 'ada', sid: 'sid-4' })
})

t.test('the metadata of a session is read at such a sign-out, and by no other request', async (t) => {
  const started = await startWithRecords(t, { session: { strategy: 'database' } })
  await signInAtIssuer(started, started.browser)
  started.store.forget()
  await getSession(started.browser)
  await started.browser.open('/me')
  t.equal(started.store.count('getSessionRecords'), 0)
  await started.browser.submit('/api/auth/signout', { provider: 'true' })
  t.equal(started.store.count('getSessionRecords'), 1)
})
