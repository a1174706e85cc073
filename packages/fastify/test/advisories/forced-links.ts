import credentials from '@postern/core/providers/credentials'
import type { Person } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import { createTestGate } from '../interruption-feature.ts'
import { getSession, openLinkPage, origin, signInAtIssuer, signInByMail, start } from '../start.ts'
import { browserAt } from '../visitor.ts'
import { fourteenMethods, getAccounts, getUser, key, someStrategies } from './linking-setup.ts'
import type { Replay } from './replay.ts'

const victim: Person = { sub: 'vera', name: 'Vera', email: 'vera@example.com', email_verified: true }
const attackers = 'accounts@evil.example'

const getCsrf = (html: string): string => /name="csrfToken" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** Links of accounts that their owners did not ask for, and limits that a subscriber's network escapes. */
export const forcedLinks: readonly Replay[] = [
  [
    'Y01',
    'a victim signed in through a mailed link of the attacker signs in at a provider: nothing is linked without a question',
    async (t) => {
      for (const strategy of someStrategies()) {
        for (const hasUser of [false, true]) {
          const started = await start(t, { session: { strategy }, instances: 1 })
          if (hasUser) await signInByMail(started, started.newBrowser(), 'vera@example.com')
          const { browser } = started
          await signInByMail(started, browser, attackers)
          const back = await signInAtIssuer(started, browser, victim, { link: '' })
          const label = `${strategy}, ${hasUser ? 'with' : 'without'} a user of their own`
          const page = await openLinkPage(browser, back)
          t.match(page.body, attackers, `${label}: the page names who is signed in`)
          t.match(page.body, 'vera@example.com', 'and the account')
          const attacker = await getUser(started, attackers)
          t.same(await getAccounts(started, attacker?.id ?? ''), [], 'nothing is linked')
          t.equal(await started.adapter?.getUserByAccount?.(key('vera')), null)
          t.match(await getSession(browser), { user: { email: attackers } }, 'nobody is signed in or out')
          const again = await signInAtIssuer(started, started.newBrowser(), victim)
          const isLinked = !again.location?.includes('error=')
          t.equal(isLinked, !hasUser, 'elsewhere the account signs in as a user of its own, as before')
        }
      }
    }
  ],
  [
    'Y02',
    'a query that asks for a link starts none; the button of the page does, for the user that it names',
    async (t) => {
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy }, instances: 1 })
        const { app, browser, issuer } = started
        await signInByMail(started, browser, 'ada@example.com')
        const url = app.postern.linkUrl('demo', `${origin}/account`)
        const asked = await browser.open(url)
        t.equal(asked.status, 200)
        t.match(asked.body, 'ada@example.com')
        t.notOk(
          asked.setCookies.some(({ name }) => name.endsWith('.state')),
          'the page starts nothing'
        )
        const byQuery = await browser.submit('/api/auth/signin/demo?link=true', {})
        const unasked = await browser.open(await issuer.authorize(byQuery.location ?? '', victim))
        t.match((await openLinkPage(browser, unasked)).body, 'vera@example.com', 'a query is no button')
        t.equal(await started.adapter?.getUserByAccount?.(key('vera')), null)
        const begun = await browser.submit('/api/auth/signin/demo', {
          csrfToken: getCsrf(asked.body),
          link: 'true',
          callbackUrl: `${origin}/account`
        })
        const linked = await browser.open(await issuer.authorize(begun.location ?? '', victim))
        t.equal(linked.location, `${origin}/account`)
        const ada = await getUser(started, 'ada@example.com')
        t.same(await getAccounts(started, ada?.id ?? ''), ['vera'])
      }
    }
  ],
  [
    'Y03',
    'the user signs out and another signs in between the button and the return from the provider',
    async (t) => {
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy }, instances: 1 })
        const { browser, issuer } = started
        await signInByMail(started, browser, 'ada@example.com')
        const begun = await browser.submit('/api/auth/signin/demo', { link: 'true' })
        await signInByMail(started, browser, attackers)
        const back = await browser.open(await issuer.authorize(begun.location ?? '', victim))
        t.equal(back.status, 409, strategy)
        t.equal(await started.adapter?.getUserByAccount?.(key('vera')), null, 'nothing is linked')
      }
    }
  ],
  [
    'Y04',
    'a signed-in user of next-auth links as before where the application asks for it',
    async (t) => {
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy }, linking: { signedIn: 'link' }, instances: 1 })
        await signInByMail(started, started.browser, 'ada@example.com')
        const back = await signInAtIssuer(started, started.browser, victim, { link: '' })
        t.equal(back.location, origin, strategy)
        const ada = await getUser(started, 'ada@example.com')
        t.same(await getAccounts(started, ada?.id ?? ''), ['vera'])
      }
    }
  ],
  [
    'Y05',
    'one subscriber guesses passwords from every address of a network',
    async (t) => {
      const points = isLong ? 5 : 2
      const tried = new Set<string>()
      const provider = credentials({
        credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
        authorize: ({ username }) => {
          tried.add(username)
          return null
        }
      })
      const { app, clock } = await start(t, {
        instances: 1,
        providers: [provider],
        rateLimit: {
          credentialsPerClient: { points, seconds: 3600 },
          callbackPerClient: { points: 9999, seconds: 60 }
        }
      })
      const guess = async (address: string, username: string): Promise<void> => {
        await browserAt(app, clock, address).submit('/api/auth/callback/credentials', { username, password: 'wrong' })
      }
      for (let at = 0; at < 12 * points; at++)
        await guess(`2001:db8:1:1${at.toString(16).padStart(2, '0')}::1`, `narrow-${at}`)
      t.equal(tried.size, 4 * points, 'a /56 has four times the points of an address')
      for (let at = 0; at < 40 * points; at++)
        await guess(`2001:db8:1:${at.toString(16).padStart(2, '0')}00::1`, `wide-${at}`)
      t.equal(tried.size, 16 * points, 'a /48 has sixteen times the points')
    }
  ],
  [
    'Y06',
    'the page named one account, and the provider returns another: the page asks again',
    async (t) => {
      const mallory = { sub: 'mallory', name: 'M', email: 'mallory@example.com', email_verified: true }
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy }, instances: 1 })
        const { browser, adapter } = started
        await signInByMail(started, browser, 'ada@example.com')
        const page = await openLinkPage(browser, await signInAtIssuer(started, browser, victim, { link: '' }))
        await signInAtIssuer(started, browser, mallory, { link: '' })
        const swapped = await browser.fill(page, '/api/auth/verify/link')
        t.equal(swapped.status, 409, `${strategy}: the form of the page is not for the later sign-in`)
        t.match(swapped.body, 'mallory@example.com', 'the page names the other account')
        t.notMatch(swapped.body, 'vera@example.com')
        for (const sub of ['mallory', 'vera']) t.equal(await adapter?.getUserByAccount?.(key(sub)), null, sub)
        t.equal((await browser.fill(swapped, '/api/auth/verify/link')).location, origin)
        const ada = await getUser(started, 'ada@example.com')
        t.same(await getAccounts(started, ada?.id ?? ''), ['mallory'], 'the account that the page named is linked')
      }
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy }, adapter: fourteenMethods(), instances: 1 })
        const { browser, issuer } = started
        await signInByMail(started, browser, 'ada@example.com')
        const page = await signInAtIssuer(started, browser, victim, { link: '' })
        t.equal(page.status, 409, `${strategy}, without tickets`)
        const confirmed = await browser.fill(page, '/api/auth/signin/demo')
        const swapped = await browser.open(await issuer.authorize(confirmed.location ?? '', mallory))
        t.equal(swapped.status, 409, strategy)
        t.match(swapped.body, 'mallory@example.com', 'the page names the other account')
        t.equal(await started.adapter?.getUserByAccount?.(key('mallory')), null, 'nothing is linked')
        const again = await browser.fill(page, '/api/auth/signin/demo')
        const linked = await browser.open(await issuer.authorize(again.location ?? '', victim))
        t.equal(linked.status, 302, 'the account that the page named is linked')
        t.ok(await started.adapter?.getUserByAccount?.(key('vera')))
      }
    }
  ],
  [
    'Y07',
    'a sign-in method of a feature links its account to the signed-in user',
    async (t) => {
      for (const strategy of someStrategies()) {
        const gate = createTestGate(false)
        const started = await start(t, { session: { strategy }, features: [gate.feature], instances: 1 })
        const { app, browser, adapter } = started
        await signInByMail(started, browser, attackers)
        const pass = await app.postern.features.gate.createPass('paul')
        const refused = await browser.submit('/api/auth/callback/pass', { pass })
        t.match(refused.location, /error=OAuthAccountNotLinked/, strategy)
        t.equal(await adapter?.getUserByAccount?.({ provider: 'pass', providerAccountId: 'pass-paul' }), null)
        t.match(await getSession(browser), { user: { email: attackers } })
      }
    }
  ],
  [
    'Y08',
    'the page names an account without name and address by nothing',
    async (t) => {
      const started = await start(t, { instances: 1 })
      await signInByMail(started, started.browser, 'ada@example.com')
      const back = await signInAtIssuer(started, started.browser, { sub: 'nameless-1' }, { link: '' })
      t.match((await openLinkPage(started.browser, back)).body, 'nameless-1')
    }
  ],
  [
    'Y10',
    'a link is started with a value that no page gave, before the session, or after it ended',
    async (t) => {
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy }, rateLimit: false, instances: 1 })
        const { browser, newBrowser, issuer, adapter } = started
        const isUnlinked = async (label: string): Promise<void> => {
          t.equal(await adapter?.getUserByAccount?.(key('vera')), null, `${strategy}: ${label}`)
        }
        await signInByMail(started, browser, attackers)
        for (const link of ['TRUE', '1', 'yes', ' true', 'false', 'a'.repeat(64), '['.repeat(9), 'true,true']) {
          const page = await openLinkPage(browser, await signInAtIssuer(started, browser, victim, { link }))
          t.match(page.body, 'vera@example.com', link)
          await isUnlinked(link)
          await browser.submit('/api/auth/verify/link', { link })
          await isUnlinked(`${link}, at the page`)
        }
        const early = newBrowser()
        const begun = await early.submit('/api/auth/signin/demo', { link: 'true' })
        await signInByMail(started, early, attackers)
        t.equal((await early.open(await issuer.authorize(begun.location ?? '', victim))).status, 409)
        await isUnlinked('started before the session')
        const ended = newBrowser()
        await signInByMail(started, ended, attackers)
        const page = await openLinkPage(ended, await signInAtIssuer(started, ended, victim, { link: '' }))
        await ended.submit('/api/auth/signout', {})
        await ended.fill(page, '/api/auth/verify/link')
        await isUnlinked('confirmed after the sign-out')
        const attacker = await getUser(started, attackers)
        t.same(await getAccounts(started, attacker?.id ?? ''), [], 'confirmed after the sign-out')
      }
    }
  ]
]
