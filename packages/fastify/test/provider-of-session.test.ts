import { ada, type Browser, createClock, createIssuer, type Issuer } from '@postern/testkit'
import t, { type Test } from 'tap'
import { type Kept, startKeeping } from './start-with-session-records.ts'
import { demoIssuer, fromAfar, mails, origin, sessionOf, signInAtIssuer, signInByMail } from './start.ts'

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
  const kept = await startKeeping(t, {
    session: { strategy },
    providers: [
      { ...demoIssuer(issuer), verifiesEmail: true },
      { ...demoIssuer(other), id: 'other', verifiesEmail: true, allowDangerousEmailAccountLinking: true },
      mails()
    ],
    runtime: {
      now: clock.now,
      fetch: async (url, init) => {
        const asked = both.find((one) => url.startsWith(`${one.issuer}/`))
        return asked ? asked.fetch(url, init) : Promise.reject(new TypeError('fetch failed'))
      }
    }
  })
  const signInAtOther = async (browser: Browser): Promise<unknown> => {
    const begun = await browser.submit('/api/auth/signin/other', {})
    return browser.open(await other.authorize(begun.location ?? ''), { headers: fromAfar })
  }
  const later = (): void => {
    clock.advance(60)
    kept.clock.advance(60)
  }
  return { ...kept, issuer, other, signInAtOther, later }
}

/** Where a visitor is sent who signs out, less its parameters. */
async function wayOut(browser: Browser, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const away = await browser.submit('/api/auth/signout', { callbackUrl: '/bye', provider: 'true', ...fields })
  const url = new URL(away.location ?? '')
  return url.origin + url.pathname
}

for (const strategy of ['jwt', 'database'] as const) {
  t.test(`${strategy}: the provider that the session came through is meant, not the one asked last`, async (t) => {
    const two = await startWithTwo(t, strategy)
    const { browser, newBrowser, issuer, other } = two
    await signInAtIssuer(two, browser)
    two.later()
    const second = newBrowser()
    await two.signInAtOther(second)
    t.ok((await sessionOf(second)).user)
    const user = await two.adapter.getUserByEmail?.('ada@example.com')
    t.equal((await two.adapter.getAccounts?.(user?.id ?? ''))?.length, 2, 'one user')
    t.equal(await wayOut(browser), issuer.metadata.end_session_endpoint)
    t.equal(await wayOut(second), other.metadata.end_session_endpoint)
  })

  t.test(`${strategy}: who came by mail is sent to no provider, unless one is named`, async (t) => {
    const two = await startWithTwo(t, strategy)
    const { browser, newBrowser, issuer } = two
    await signInAtIssuer(two, browser)
    const byMail = newBrowser()
    await signInByMail(two, byMail)
    t.equal(await wayOut(byMail), `${origin}/bye`)
    await signInByMail(two, byMail)
    t.equal(await wayOut(byMail, { provider: 'demo' }), issuer.metadata.end_session_endpoint)
  })
}

t.test('of two accounts at a provider the one of the session is the hint', async (t) => {
  const kept = await startKeeping(t, { session: { strategy: 'database' } })
  const { issuer, browser, newBrowser, clock } = kept
  const enterAs = async (by: Browser, sub: string, sid: string): Promise<void> => {
    clock.advance(60)
    issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid })
    await signInAtIssuer(kept, by, { ...ada, sub })
  }
  await enterAs(browser, 'ada', 'sid-1')
  const other = newBrowser()
  await enterAs(other, 'ada', 'sid-2')
  await enterAs(other, 'ada-at-work', 'sid-3')
  await enterAs(browser, 'ada', 'sid-4')
  await enterAs(other, 'ada-at-work', 'sid-5')
  const away = await browser.submit('/api/auth/signout', { provider: 'true' })
  const hint = new URL(away.location ?? '').searchParams.get('id_token_hint') ?? ''
  t.match(JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString()), { sub: 'ada', sid: 'sid-4' })
})

t.test('what was noted of a session is read at such a sign-out, and by no other request', async (t) => {
  const kept = await startKeeping(t, { session: { strategy: 'database' } })
  await signInAtIssuer(kept, kept.browser)
  kept.store.forget()
  await sessionOf(kept.browser)
  await kept.browser.open('/me')
  t.equal(kept.store.count('getSessionRecords'), 0)
  await kept.browser.submit('/api/auth/signout', { provider: 'true' })
  t.equal(kept.store.count('getSessionRecords'), 1)
})
