import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, PosternOptions } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { inTurn, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { getSession, origin, people, type StartOptions, signInByForm, signInByMail } from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import { browserAt } from '../visitor.ts'
import {
  answer,
  ask,
  beginPending,
  type Gated,
  interrupted,
  methodNames,
  pendingCookie,
  startGated
} from './pending-setup.ts'
import { address, signIn, signUp, strategies, vera } from './setup.ts'

const stores: Readonly<Record<string, () => Adapter>> = {
  memory: () => memoryAdapter(),
  'no transactions': () => withoutTransactions(memoryAdapter())
}

/** An application that notes each call of its callbacks and events. */
async function startNoting(t: Test, options: StartOptions = {}) {
  const calls: string[] = []
  const note = (name: string): void => void calls.push(name)
  const callbacks: PosternOptions['callbacks'] = {
    signIn: () => {
      note('callbacks.signIn')
      return true
    },
    redirect: ({ url, baseUrl }) => {
      note(`callbacks.redirect ${url}`)
      return url.startsWith(baseUrl) ? url : baseUrl
    }
  }
  const names = ['signIn', 'createUser', 'updateUser', 'linkAccount', 'reclaimUser'] as const
  const events = Object.fromEntries(names.map((name) => [name, () => note(`events.${name}`)]))
  return { calls, started: await startGated(t, { callbacks, events, ...options }) }
}

/** In `npm test` each test has one strategy and store, the next test the next ones; in the long run each has all. */
const places = strategies.flatMap((strategy) =>
  Object.entries(stores).map(([store, open]) => ({ strategy, store, open }))
)
const turns = turnsOf(places, t)
const someStrategies = inTurn(strategies)

for (const { value, test } of turns()) {
  const { strategy, store, open } = value
  const options = { session: { strategy } }

  test(`${strategy}, ${store}: callbacks and events run once, and events after the interruption`, async (t) => {
    for (const method of methodNames) {
      const { calls, started } = await startNoting(t, { ...options, adapter: open() })
      for (const isNew of [true, false]) {
        calls.length = 0
        const browser = await beginPending(t, started, method)
        const at = (name: string): number => calls.filter((call) => call.startsWith(name)).length
        const label = `${method}, ${isNew ? 'new' : 'known'}`
        // A mail has one more call, with `email.verificationRequest`, as in next-auth.
        const expected = method === 'mail' ? 2 : 1
        t.equal(at('callbacks.signIn'), expected, `${label}: before the interruption`)
        t.equal(at('events.'), 0, label)
        await answer(browser, 'no')
        await browser.open('/api/auth/verify')
        t.equal((await answer(browser)).location, origin)
        t.equal(at('callbacks.signIn'), expected, `${label}: not again`)
        t.equal(at('events.signIn'), 1, label)
        t.equal(at('events.createUser'), isNew && !(method === 'form' && strategy === 'jwt') ? 1 : 0, label)
      }
    }
  })

  test(`${strategy}, ${store}: the callback URL is the one that the sign-in began with, and is checked again`, async (t) => {
    const policy = { isElsewhereAllowed: true }
    const started = await startGated(t, {
      ...options,
      adapter: open(),
      callbacks: {
        redirect: ({ url, baseUrl }) =>
          url.startsWith(baseUrl) || (policy.isElsewhereAllowed && url.startsWith('https://partner.test'))
            ? url
            : baseUrl
      }
    })
    const form = { username: 'grace', password: 'lovelace' }
    const begin = async (callbackUrl: string): Promise<Browser> => {
      const browser = started.newBrowser()
      started.gate.isDue = true
      const { location } = await browser.submit('/api/auth/callback/credentials', { ...form, callbackUrl })
      t.equal(location, interrupted)
      return browser
    }
    for (const [asked, expected] of [
      [`${origin}/orders`, `${origin}/orders`],
      ['https://evil.test/', origin],
      ['//evil.test', origin],
      ['/\\evil.test', origin],
      ['javascript:alert(1)', origin],
      ['https://partner.test/', 'https://partner.test']
    ] as const) {
      const browser = await begin(asked)
      const later = await browser.submit(ask, { answer: 'yes', callbackUrl: 'https://evil.test/' })
      t.equal(later.location, expected, asked)
    }
    const revised = await begin('https://partner.test/')
    policy.isElsewhereAllowed = false
    t.equal((await answer(revised)).location, origin, 'the callback refuses it later')
  })

  test(`${strategy}, ${store}: a mailed link and a mailed code are used up by a sign-in that waits`, async (t) => {
    const started = await startGated(t, { ...options, adapter: open() })
    const { mailbox, newBrowser } = started
    const byLink = await beginPending(t, started, 'mail')
    const { url } = mailbox.last()
    for (const browser of [byLink, newBrowser()]) {
      const again = await browser.followAll(await browser.open(url))
      t.notOk((await getSession(browser)).user, `${again.status}`)
    }
    t.equal((await answer(byLink)).location, origin)
    const byCode = newBrowser()
    await byCode.submit('/api/auth/signin/email', { email: 'bob@example.com' })
    const { code } = mailbox.last()
    t.match((await byCode.submit('/api/auth/callback/email', { code: 'BCDFGHJK' })).location, /error=code/)
    t.equal((await byCode.submit('/api/auth/callback/email', { code })).location, interrupted)
    t.match((await byCode.submit('/api/auth/callback/email', { code })).location, /error=Verification/)
    t.equal((await answer(byCode)).location, origin)
  })

  test(`${strategy}, ${store}: an interruption that fails spends no link, and opens nothing`, async (t) => {
    const started = await startGated(t, { ...options, adapter: open() })
    const { gate, mailbox, newBrowser } = started
    const browser = newBrowser()
    gate.whenAsked = async () => {
      throw new Error('no connection')
    }
    t.match((await signInByMail(started, browser)).location, /error=/)
    t.same(await getSession(browser), {})
    gate.whenAsked = null
    gate.isDue = true
    t.equal((await browser.open(mailbox.last().url)).location, interrupted, 'the link still works')
    gate.whenAsked = async () => {
      throw new Error('no connection')
    }
    for (const response of [await answer(browser), await browser.open('/api/auth/verify')])
      t.match(response.location, /error=/)
    t.same(await getSession(browser), {})
    gate.whenAsked = null
    t.equal((await answer(browser)).location, origin, 'so does the sign-in')
  })

  test(`${strategy}, ${store}: a sign-in that is refused does not wait first`, async (t) => {
    const started = await startGated(t, { ...options, adapter: open() })
    started.gate.isDue = true
    await signUp(started, address)
    started.store.forget()
    const browser = started.newBrowser()
    t.match((await signIn(started, browser, vera)).location, /error=OAuthAccountNotLinked/)
    t.equal(browser.cookies.get(pendingCookie), null)
    t.equal(started.store.count('createTicket') + started.store.count('transact'), 0, 'no ticket is stored')
  })

  test(`${strategy}, ${store}: the password of a form is not stored`, async (t) => {
    const asked: unknown[] = []
    const form = credentials({
      credentials: { username: {}, password: { type: 'password' }, pin: { type: 'password' }, stay: {} },
      authorize: ({ username, password }) =>
        password === 'lovelace' ? { id: `id-${username}`, name: username, email: `${username}@example.com` } : null
    })
    const started = await startGated(t, {
      adapter: open(),
      providers: [form],
      session: {
        strategy,
        remember: (question) => {
          asked.push(question.credentials)
          return true
        }
      }
    })
    started.gate.isDue = true
    const { browser } = started
    const fields = { username: 'grace', password: 'lovelace', pin: '1815-12-10', stay: 'yes' }
    t.equal((await browser.submit('/api/auth/callback/credentials', fields)).location, interrupted)
    t.equal((await answer(browser)).location, origin)
    t.match(asked, [{ username: 'grace', stay: 'yes' }], 'the callback gets the other fields')
    t.notMatch(JSON.stringify(asked), /lovelace|1815|csrfToken/, 'nothing secret was kept')
  })
}

/** The attempts that a form has left: those that are not answered with 429. */
async function countAttempts({ newBrowser }: Gated): Promise<number> {
  for (let count = 0; ; count++) {
    const fields = { username: 'grace', password: 'wrong' }
    if ((await newBrowser().submit('/api/auth/callback/credentials', fields)).status === 429) return count
  }
}

t.test('a sign-in that waits costs no attempt at the password, and makes the device of nobody known', async (t) => {
  for (const strategy of someStrategies()) {
    const limited = async (work: (started: Gated) => Promise<unknown>): Promise<number> => {
      const started = await startGated(t, { session: { strategy }, rateLimit: {}, providers: [people] })
      await work(started)
      return countAttempts(started)
    }
    const all = await limited(async () => undefined)
    const afterOne = await limited(({ newBrowser }) => signInByForm(newBrowser()))
    const pending = await limited(async (started) => {
      const browser = await beginPending(t, started, 'form')
      t.equal(browser.cookies.get('__Secure-postern.device'), null, 'not known before the interruption has passed')
    })
    const completed = await limited(async (started) => {
      const browser = await beginPending(t, started, 'form')
      await answer(browser)
      t.ok(browser.cookies.get('__Secure-postern.device'))
    })
    t.ok(all > 0)
    t.equal(afterOne, all, 'a correct password is refunded')
    t.equal(pending, all, 'once, also if the sign-in waits')
    t.equal(completed, all, 'and not twice if it continues')
    const wrong = await limited(async (started) => {
      await started.newBrowser().submit('/api/auth/callback/credentials', { username: 'grace', password: 'wrong' })
      const browser = await beginPending(t, started, 'form')
      await answer(browser)
    })
    t.equal(wrong, all - 1, 'a wrong one stays counted')
  }
})

t.test('the forms of interruptions count against the limit of the client', async (t) => {
  const { app, clock, gate } = await startGated(t, { rateLimit: {} })
  gate.isDue = true
  const browser = browserAt(app, clock, '203.0.113.7')
  const statuses: number[] = []
  for (let round = 0; round < 20; round++) {
    await signInByForm(browser)
    for (let tries = 0; tries < 4; tries++) statuses.push((await answer(browser, 'no')).status)
  }
  const guesses = statuses.filter((status) => status === 403).length
  t.ok(guesses > 0 && guesses < 60, `${guesses} answers were verified within a minute`)
  t.ok(statuses.includes(429))
})
