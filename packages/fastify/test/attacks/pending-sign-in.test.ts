import { memoryAdapter } from '@postern/adapters/memory'
import { type Feature, text } from '@postern/core/feature'
import { type Browser, createBrowser } from '@postern/testkit'
import { inTurn, times, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { logout } from '../logout-token.ts'
import { fewInTurn } from '../selections.ts'
import { getSession, mails, origin, people, signInByForm, signInByMail } from '../start.ts'
import { isSignedIn } from '../start-with-session-records.ts'
import {
  answer,
  ask,
  beginKnown,
  beginPending,
  type Gated,
  getId,
  interrupted,
  type MethodName,
  methodNames,
  methods,
  pendingCookie,
  putCookie,
  startGated,
  startOver,
  stepUpCookie,
  stores
} from './pending-setup.ts'
import { accountsOf, idIn, strategies, vera } from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)
const someStrategies = inTurn(strategies)

/** One method for each test, the next test the next one, in `npm test`. */
const fewMethods = fewInTurn(1)

/** How many sessions are stored for a user. */
async function countSessions({ adapter }: Gated, userId: string): Promise<number> {
  return (await adapter?.getSessionRecords?.({ userId }))?.length ?? 0
}

/**
 * A pending sign-in that is over: its page and its form lead to the sign-in page, the page of a signed-in user to the application, and
 * nobody else is signed in.
 */
async function checkOver(t: Test, browser: Browser, label: string): Promise<void> {
  const cookie = browser.cookies.get(pendingCookie)
  const before = await idIn(browser)
  const pages = [
    { open: () => answer(browser), signedIn: startOver },
    { open: () => browser.open(ask), signedIn: origin },
    // A signed-in user may authenticate again.
    { open: () => browser.open('/api/auth/verify'), signedIn: null }
  ]
  for (const { open, signedIn } of pages) {
    if (cookie) putCookie(browser, cookie)
    const { status, location } = await open()
    t.equal(location, before ? signedIn : startOver, label)
    if (location === null) t.equal(status, 200, label)
    t.equal(await idIn(browser), before, label)
  }
}

for (const { value: strategy, test } of turns()) {
  const session = { strategy }

  // The encrypted cookie alone binds a ticket to its browser, as a session cookie binds a session. A copy is therefore as good as
  // the original, and worthless: it shares the attempts and the single completion, and still needs what the page asks for.
  test(`${strategy}: a copied cookie signs nobody in without what the page asks for`, async (t) => {
    for (const method of fewMethods(methodNames)) {
      const started = await startGated(t, { session })
      const victim = await beginPending(t, started, method)
      const thief = started.newBrowser()
      putCookie(thief, victim.cookies.get(pendingCookie) ?? '')
      t.notMatch((await thief.followAll(await thief.open('/api/auth/verify'))).body, /vera|ada@|grace/i, 'names nobody')
      for (let tries = 1; tries <= 4; tries++) t.equal((await answer(thief, 'no')).status, 403)
      t.same(await getSession(thief), {}, method)
      t.equal((await answer(victim)).location, origin, 'the fifth attempt is left to the victim')
      await checkOver(t, thief, `${method}: the copy is used up`)
    }
  })

  test(`${strategy}: the attempts of all copies count together`, async (t) => {
    const started = await startGated(t, { session })
    const victim = await beginPending(t, started, 'form')
    const copies = Array.from({ length: 50 }, () => {
      const browser = started.newBrowser()
      putCookie(browser, victim.cookies.get(pendingCookie) ?? '')
      return browser
    })
    const guesses = await Promise.all(copies.map((copy) => answer(copy, 'no')))
    t.equal(guesses.filter(({ status }) => status === 403).length, 4, 'four are followed by another')
    await checkOver(t, victim, 'it has ended')
  })

  test(`${strategy}: a sign-in that waits does not change who is signed in, or for whom it is`, async (t) => {
    const started = await startGated(t, { session })
    const other = started.newBrowser()
    await signInByMail(started, other, 'mallory@evil.test')
    const malloryId = await idIn(other)
    for (const method of methodNames) {
      const victim = await beginPending(t, started, method)
      putCookie(other, victim.cookies.get(pendingCookie) ?? '')
      await other.open('/api/auth/verify')
      t.equal((await answer(other, 'no')).status, 403)
      t.equal(await idIn(other), malloryId, `${method}: the session stays`)
      await answer(other)
      t.same(await accountsOf(started, malloryId ?? ''), [], `${method}: nothing is linked`)
      if (method === 'provider') t.equal(await idIn(other), malloryId, 'it began without this user')
      started.gate.isDue = false
      await signInByMail(started, other, 'mallory@evil.test')
    }
  })

  test(`${strategy}: a forged cookie reads nothing, and the id of a ticket is none`, async (t) => {
    const started = await startGated(t, { session })
    const { store, newBrowser } = started
    const victim = await beginPending(t, started, 'form')
    const cookie = victim.cookies.get(pendingCookie) ?? ''
    const created = JSON.stringify(
      store.calls.filter(({ method }) => method === 'createTicket' || method === 'transact')
    )
    const id = /"kind":"pending-sign-in","id":"([^"]+)"/.exec(created)?.[1] ?? ''
    t.match(id, /^[\w-]{43}$/, '256 random bits')
    t.notMatch(created, /grace@|lovelace/, 'the ticket is encrypted')
    t.notMatch(Buffer.from(cookie, 'base64url').toString(), /grace|app\.test/, 'so is the cookie')
    const flipped = [3, Math.floor(cookie.length / 2), cookie.length - 5].map(
      (at) => `${cookie.slice(0, at)}${cookie[at] === 'A' ? 'B' : 'A'}${cookie.slice(at + 1)}`
    )
    const plain = JSON.stringify({ value: id, app: '/api/auth', expires: 9e15 })
    for (const forged of [...flipped, id, plain, Buffer.from(plain).toString('base64url'), '', '.', 'null', '{}']) {
      const thief = newBrowser()
      putCookie(thief, forged)
      await thief.open('/api/auth/signin')
      store.forget()
      await checkOver(t, thief, forged.slice(0, 20))
      for (const name of ['readTicket', 'readTickets', 'countTry', 'consumeTicket'] as const)
        t.equal(store.count(name), 0, 'no query')
    }
    t.equal((await answer(victim)).location, origin, 'the sign-in goes on')
  })

  test(`${strategy}: cookies of one purpose, secret, or application are none of another`, async (t) => {
    const adapter = memoryAdapter()
    const applications = [
      { applicationId: 'one' },
      { applicationId: 'two' },
      { applicationId: 'one', secret: 'another secret, of 32 characters or more' }
    ]
    const [one, ...others] = await Promise.all(
      applications.map((options) => startGated(t, { session, adapter, ...options }))
    )
    if (!one) throw new Error('expected an application')
    const victim = await beginPending(t, one, 'form')
    const cookie = victim.cookies.get(pendingCookie) ?? ''
    for (const [index, other] of others.entries()) {
      other.gate.isDue = true
      const thief = other.newBrowser()
      putCookie(thief, cookie)
      await checkOver(t, thief, `application ${index}`)
    }
    const [wrong, known] = [one.newBrowser(), one.newBrowser()]
    one.gate.isDue = false
    await signInByForm(known, 'ada')
    await known.open(`/api/auth/verify?callbackUrl=${origin}/`)
    putCookie(wrong, known.cookies.get(stepUpCookie) ?? '')
    await checkOver(t, wrong, 'the cookie of a step-up')
    putCookie(known, cookie, stepUpCookie)
    await signInByForm(known, 'bob')
    t.match(await getSession(known), { user: { name: 'bob' } }, 'a pending sign-in is no step-up')
    one.gate.isDue = true
    t.equal((await answer(victim)).location, origin, 'the application that made it accepts it')
  })

  test(`${strategy}: a cookie that expired or was used is refused, also if the browser keeps it`, async (t) => {
    for (const method of fewMethods(methodNames)) {
      const started = await startGated(t, { session })
      const expired = await beginPending(t, started, method)
      const cookie = expired.cookies.get(pendingCookie) ?? ''
      started.clock.advance(600)
      putCookie(expired, cookie)
      await checkOver(t, expired, `${method}, expired`)
      const used = await beginPending(t, started, method)
      const again = used.cookies.get(pendingCookie) ?? ''
      await answer(used)
      t.equal(used.cookies.get(pendingCookie), null, 'the cookie is removed')
      const userId = await getId(started, methods[method].address)
      const count = await countSessions(started, userId)
      for (const browser of [used, started.newBrowser()]) {
        putCookie(browser, again)
        await checkOver(t, browser, `${method}, used`)
      }
      t.equal(await countSessions(started, userId), count)
    }
  })

  test(`${strategy}: after the first of two interruptions, its ticket is used up`, async (t) => {
    const second: Feature = {
      id: 'second',
      setup: () => ({
        interruptions: [
          { id: 'second', order: 500, isDue: () => true, show: () => text('Second', 200), verify: () => 'passed' }
        ]
      })
    }
    for (const method of fewMethods(methodNames)) {
      const started = await startGated(t, { session, features: [second] })
      const browser = await beginPending(t, started, method)
      const cookie = browser.cookies.get(pendingCookie) ?? ''
      t.equal((await browser.submit('/api/auth/verify/second', {})).location, `${origin}/api/auth/verify`, 'not first')
      t.equal((await answer(browser)).location, interrupted)
      t.same(await getSession(browser), {})
      const copy = started.newBrowser()
      putCookie(copy, cookie)
      await checkOver(t, copy, method)
      t.equal((await answer(browser)).location, `${origin}/api/auth/verify`, 'it does not pass twice')
      t.equal((await browser.submit('/api/auth/verify/second', {})).location, origin)
    }
  })

  test(`${strategy}: the form needs the CSRF token of this browser, and its own site`, async (t) => {
    const started = await startGated(t, { session })
    const browser = await beginPending(t, started, 'form')
    const { csrfToken } = await started.newBrowser().json<{ csrfToken: string }>('/api/auth/csrf')
    await browser.post(ask, 'answer=yes')
    await browser.submit(ask, { answer: 'yes', csrfToken })
    await browser.submit(
      ask,
      { answer: 'yes' },
      { headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' } }
    )
    t.same(await getSession(browser), {})
    t.equal((await answer(browser)).location, origin)
  })
}

const completions = methodNames.flatMap((method) => (['form', 'page', 'both'] as const).map((how) => ({ method, how })))
/** In `npm test` two for each store: over all stores, each of them. */
const fewCompletions = fewInTurn(2)

for (const { name: store, skip, open } of stores)
  for (const strategy of someStrategies())
    t.test(`${strategy}, ${store}: many completions at once create one session`, { skip }, async (t) => {
      const events: string[] = []
      const started = await startGated(t, {
        session: { strategy },
        adapter: await open(t),
        events: { signIn: () => void events.push('signIn'), createUser: () => void events.push('createUser') }
      })
      const { gate, clock, send } = started
      for (const { method, how } of fewCompletions(completions)) {
        const browser = await beginPending(t, started, method)
        const copies = Array.from({ length: times(20, 50) }, () =>
          createBrowser({ origin, send, clock, cookies: browser.cookies.clone() })
        )
        const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
        events.length = 0
        const userId = await getId(started, methods[method].address)
        const count = await countSessions(started, userId)
        // Every GET of a sign-in that is no longer interrupted completes it: all of them compete.
        if (how !== 'form') gate.isDue = false
        const done = await Promise.all(
          copies.map((copy, index) =>
            how === 'form' || (how === 'both' && index % 2 === 0)
              ? copy.submit(ask, { answer: 'yes', csrfToken })
              : copy.open('/api/auth/verify')
          )
        )
        const label = `${method}, ${how}`
        t.equal(done.filter(({ location }) => location === origin).length, 1, `${label}: one is complete`)
        t.equal(done.filter(({ status }) => status >= 500).length, 0, `${label}: none fails`)
        t.equal((await Promise.all(copies.map(isSignedIn))).filter(Boolean).length, 1, `${label}: one is signed in`)
        t.equal(events.filter((event) => event === 'signIn').length, 1, `${label}: one event`)
        const now = await getId(started, methods[method].address)
        t.equal((await countSessions(started, now)) - (now === userId ? count : 0), 1, `${label}: one session`)
      }
    })

/** Logs the user out at the provider, which names the user. */
interface Known {
  readonly started: Gated
  readonly signedIn: Browser
  readonly userId: string
}

/** A change of the user while a sign-in waits: it must not be completed. */
interface Change {
  readonly run: (known: Known) => unknown
  readonly methods: readonly MethodName[]
  /** Users of a form are not stored with JWT sessions. */
  readonly isStored?: true
}

const changes: Readonly<Record<string, Change>> = {
  revokeAll: { run: ({ started, userId }) => started.app.postern.sessions.revokeAll(userId), methods: methodNames },
  'sign-out everywhere else': { run: ({ signedIn }) => signedIn.open('/others'), methods: methodNames },
  'deletion of the user': {
    run: ({ started, userId }) => started.app.postern.deleteUser(userId),
    methods: methodNames
  },
  suspension: { run: ({ started, userId }) => started.app.postern.users.suspend(userId), methods: methodNames },
  'suspension that ended': {
    run: async ({ started, userId }) => {
      await started.app.postern.users.suspend(userId)
      await started.app.postern.users.resume(userId)
    },
    methods: methodNames
  },
  'removal of the account': {
    run: async ({ started, userId }) => {
      await started.adapter?.updateUser?.({ id: userId, emailVerified: new Date() })
      await started.app.postern.unlink(userId, { provider: 'demo', providerAccountId: 'vera' })
    },
    methods: ['provider']
  },
  'removal of the account by the application': {
    run: ({ started }) => started.adapter?.unlinkAccount?.({ provider: 'demo', providerAccountId: 'vera' }),
    methods: ['provider']
  },
  'another owner of the account': {
    run: async ({ started }) => {
      const key = { provider: 'demo', providerAccountId: 'vera' }
      await started.adapter?.unlinkAccount?.(key)
      const user = await started.adapter?.createUser?.({ name: null, email: 'new@example.com', emailVerified: null })
      await started.adapter?.linkAccount?.({ ...key, type: 'oidc', userId: user?.id ?? '' })
    },
    methods: ['provider']
  },
  'another address of the user': {
    run: ({ started, userId }) => started.adapter?.updateUser?.({ id: userId, email: 'moved@example.com' }),
    methods: ['mail']
  },
  'another user with the address': {
    run: async ({ started, userId }) => {
      await started.adapter?.updateUser?.({ id: userId, email: 'moved@example.com' })
      await started.adapter?.createUser?.({ name: null, email: 'ada@example.com', emailVerified: null })
    },
    methods: ['mail']
  },
  'back-channel logout': { run: ({ started }) => logout(started, { sub: vera.sub }), methods: ['provider'] },
  'the secret is replaced in the store': {
    run: async ({ started, userId }) => started.adapter?.deleteTickets?.(userId),
    methods: methodNames
  }
}

for (const [what, { run, methods: changed }] of Object.entries(changes))
  for (const strategy of someStrategies())
    t.test(`${strategy}: a sign-in that waits ends with: ${what}`, async (t) => {
      for (const method of fewMethods(changed)) {
        const events: string[] = []
        const started = await startGated(t, {
          session: { strategy },
          events: { signIn: () => void events.push('signIn'), createUser: () => void events.push('createUser') }
        })
        const { signedIn, userId, pending } = await beginKnown(t, started, method)
        const user = await started.adapter?.getUser?.(userId)
        await run({ started, signedIn, userId })
        events.length = 0
        const before = await countSessions(started, userId)
        const cookie = pending.cookies.get(pendingCookie) ?? ''
        // next-auth's client reports success for 200; it expects that of OAuthAccountNotLinked.
        const byScript = await pending.submit(ask, { answer: 'yes', json: 'true' })
        const { url } = byScript.json<{ url: string }>()
        t.match(url, /error=/, method)
        t.ok(byScript.status >= 400 || url.includes('OAuthAccountNotLinked'), `${method}: ${byScript.status}`)
        putCookie(pending, cookie)
        for (const isDue of [true, false]) {
          started.gate.isDue = isDue
          const done = await (isDue ? answer(pending) : pending.open('/api/auth/verify'))
          putCookie(pending, cookie)
          t.not(done.location, origin, `${method}: ${done.location}`)
          t.same(await getSession(pending), {}, method)
        }
        t.same(events, [], method)
        t.equal(await countSessions(started, userId), before, method)
        const after = await started.adapter?.getUser?.(userId)
        if (what === 'deletion of the user') t.equal(after ?? null, null, `${method}: the user is not created again`)
        else t.equal(Boolean(after), Boolean(user))
      }
    })

for (const { value: strategy, test } of turns()) {
  const session = { strategy }

  test(`${strategy}: a new user who waits is not another user who appeared meanwhile`, async (t) => {
    for (const method of ['provider', 'mail'] as const) {
      const started = await startGated(t, { session })
      const { adapter, gate } = started
      const pending = await beginPending(t, started, method)
      gate.isDue = false
      const owner = started.newBrowser()
      await (method === 'mail'
        ? methods.mail.enter(started, owner)
        : signInByMail(started, owner, methods[method].address))
      const userId = await getId(started, methods[method].address)
      for (const isDue of [true, false]) {
        gate.isDue = isDue
        const done = await (isDue ? answer(pending) : pending.open('/api/auth/verify'))
        t.not(done.location, origin, `${method}: ${done.location}`)
        t.same(await getSession(pending), {}, method)
      }
      t.same(await adapter?.getAccounts?.(userId), [], method)
      t.ok(await isSignedIn(owner))
    }
  })

  test(`${strategy}: the provider is removed from the options`, async (t) => {
    for (const method of fewMethods(methodNames)) {
      const adapter = memoryAdapter()
      const before = await startGated(t, { session, adapter })
      const { pending, userId } = await beginKnown(t, before, method)
      const count = await countSessions(before, userId)
      const left = { provider: [mails(), people], mail: [people], form: [mails()] }[method]
      const after = await startGated(t, { session, adapter, providers: left })
      after.clock.set(new Date(before.clock.now()))
      for (const isDue of [true, false]) {
        after.gate.isDue = isDue
        const browser = after.newBrowser()
        putCookie(browser, pending.cookies.get(pendingCookie) ?? '')
        await checkOver(t, browser, method)
      }
      t.equal(await countSessions(after, userId), count)
    }
  })

  test(`${strategy}: the id of the provider is given to a method of another type`, async (t) => {
    const adapter = memoryAdapter()
    const before = await startGated(t, { session, adapter })
    before.gate.isDue = false
    await signInByMail(before, before.newBrowser(), 'vera@example.com')
    const userId = await getId(before, 'vera@example.com')
    // A new account at the provider, whose address nobody verified here.
    const { issuer } = before
    const browser = before.newBrowser()
    before.gate.isDue = true
    const claimed = { sub: 'eve', name: 'Eve', email: 'eve@example.com', email_verified: false }
    const started = await browser.submit('/api/auth/signin/demo', {})
    await browser.open(await issuer.authorize(started.location ?? '', claimed))
    const after = await startGated(t, { session, adapter, providers: [mails({ id: 'demo' }), people] })
    after.clock.set(new Date(before.clock.now()))
    const copy = after.newBrowser()
    putCookie(copy, browser.cookies.get(pendingCookie) ?? '')
    after.gate.isDue = false
    await checkOver(t, copy, 'an email provider')
    t.equal(await getId(after, 'eve@example.com'), 'id-eve', 'no address was verified')
    t.type(userId, 'string')
  })

  test(`${strategy}: the policy changes while a sign-in waits`, async (t) => {
    const other = { isDue: false }
    const later: Feature = {
      id: 'later',
      setup: () => ({
        interruptions: [
          {
            id: 'later',
            order: 500,
            isDue: () => other.isDue,
            show: () => text('Later', 200),
            verify: (_signIn, { body }) => (body['later'] === 'yes' ? 'passed' : text('No', 403))
          },
          { id: 'earlier', order: 300, isDue: () => false, show: () => text('', 200), verify: () => 'passed' }
        ]
      })
    }
    for (const method of fewMethods(methodNames)) {
      other.isDue = false
      const started = await startGated(t, { session, features: [later] })
      const { gate } = started
      const relaxed = await beginPending(t, started, method)
      gate.isDue = false
      t.equal((await relaxed.open(ask)).location, `${origin}/api/auth/verify`, 'it is no longer due')
      t.same(await getSession(relaxed), {})
      t.equal((await relaxed.open('/api/auth/verify')).location, origin)
      const stricter = await beginPending(t, started, method)
      other.isDue = true
      t.equal((await answer(stricter)).location, interrupted, 'another one is due')
      t.same(await getSession(stricter), {})
      t.equal((await stricter.submit('/api/auth/verify/later', { later: 'yes' })).location, origin)
      const replaced = await beginPending(t, started, method)
      gate.isDue = false
      t.equal((await answer(replaced)).location, `${origin}/api/auth/verify`, 'another one instead')
      t.equal((await replaced.open('/api/auth/verify')).location, `${origin}/api/auth/verify/later`)
      t.same(await getSession(replaced), {})
      gate.isDue = true
      t.equal((await replaced.submit('/api/auth/verify/later', { later: 'yes' })).location, `${origin}/api/auth/verify`)
      t.same(await getSession(replaced), {}, 'both are due')
    }
  })
}
