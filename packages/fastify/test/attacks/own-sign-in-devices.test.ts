import type { Browser } from '@postern/testkit'
import { times, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { getAddress } from '../advisories/perimeter-setup.ts'
import { createTestGate } from '../interruption-feature.ts'
import { cookieNames, mails, type Started, type StartOptions, signInByForm, signInByMail, start } from '../start.ts'
import { browserAt } from '../visitor.ts'
import { createClockLimiter } from './clock-limiter.ts'
import { address, strategies } from './setup.ts'

const mail = '/api/auth/signin/email'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

/** An application that signs in users by itself, on a page that does not get the cookie of known devices. */
async function startOwn(t: Test, options: StartOptions = {}) {
  const limiter = createClockLimiter()
  const rateLimit = { limiter, callbackPerClient: { points: 1_000_000, seconds: 60 } }
  const started = await start(t, { instances: 1, rateLimit, ...options })
  limiter.now = started.clock.now
  const { app, adapter, clock } = started
  app.post<{ Body: { id: string } }>('/enter', async (request, reply) => {
    const { kind } = await app.postern.signIn(request, reply, request.body.id)
    return { kind }
  })
  const enter = async (browser: Browser, id: string): Promise<unknown> =>
    (await browser.post('/enter', JSON.stringify({ id }), { 'content-type': 'application/json' })).json()
  const signUp = async (email: string): Promise<string> => {
    const user = await adapter?.createUser?.({ name: null, email, emailVerified: new Date(clock.now()) })
    return user?.id ?? ''
  }
  return { ...started, enter, signUp }
}

/** Uses up the mails that may be sent to an address. */
async function exhaust({ app, clock }: Started, email: string): Promise<void> {
  for (let turn = 0; turn < times(8, 20); turn++) await browserAt(app, clock, getAddress(turn)).submit(mail, { email })
}

const canAsk = async (browser: Browser, email: string): Promise<boolean> =>
  (await browser.submit(mail, { email })).status === 302

for (const { value: strategy, test } of turns()) {
  const session = { strategy }

  test(`${strategy}: a sign-in by the application makes a known device`, async (t) => {
    const started = await startOwn(t, { session, providers: [mails()] })
    const owner = browserAt(started.app, started.clock, '7.7.7.7')
    t.same(await started.enter(owner, await started.signUp(address)), { kind: 'signed-in' })
    t.ok(owner.cookies.get(cookieNames.newDevice))
    await exhaust(started, address)
    t.notOk(await canAsk(browserAt(started.app, started.clock, '7.7.7.8'), address), 'another device')
    t.ok(await canAsk(owner, address))
  })

  test(`${strategy}: it is merged into the devices of other users of the browser`, async (t) => {
    const started = await startOwn(t, { session })
    const { app, clock, mailbox, enter, signUp } = started
    const browser = browserAt(app, clock, '7.7.7.7')
    await signInByMail({ mailbox }, browser, address)
    const before = browser.cookies.get(cookieNames.device)
    clock.advance(1)
    const other = 'grace@example.com'
    const id = await signUp(other)
    await enter(browser, id)
    t.equal(browser.cookies.get(cookieNames.device), before, 'it is not overwritten')
    await exhaust(started, address)
    await exhaust(started, other)
    t.ok(await canAsk(browser, address))
    t.ok(await canAsk(browser, other))
    clock.advance(1)
    await signInByForm(browser, 'third')
    t.equal(browser.cookies.get(cookieNames.newDevice), null, 'one cookie is left')
    t.ok(await canAsk(browser, address))
    t.ok(await canAsk(browser, other))
  })

  test(`${strategy}: attack: the device of a sign-in that was interrupted`, async (t) => {
    const gate = createTestGate(true)
    const started = await startOwn(t, { session, features: [gate.feature] })
    const browser = browserAt(started.app, started.clock, '7.7.7.7')
    t.same(await started.enter(browser, await started.signUp(address)), { kind: 'pending' })
    for (const name of [cookieNames.device, cookieNames.newDevice]) t.equal(browser.cookies.get(name), null)
    await exhaust(started, address)
    t.notOk(await canAsk(browser, address))
    await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
    t.ok(browser.cookies.get(cookieNames.device), 'known after the gate')
    t.ok(await canAsk(browser, address))
  })

  test(`${strategy}: attack: a device whose sessions were ended`, async (t) => {
    const started = await startOwn(t, { session })
    const thief = browserAt(started.app, started.clock, '6.6.6.6')
    const id = await started.signUp(address)
    await started.enter(thief, id)
    started.clock.advance(60)
    await started.app.postern.sessions.revokeAll(id)
    await exhaust(started, address)
    t.notOk(await canAsk(thief, address))
  })

  test(`${strategy}: attack: the device of a sign-in that was refused, sent elsewhere or of a suspended user`, async (t) => {
    let result: boolean | string = true
    const started = await startOwn(t, { session, callbacks: { signIn: () => result } })
    const { app, clock, enter, signUp } = started
    const browser = browserAt(app, clock, '7.7.7.7')
    const id = await signUp(address)
    for (result of [false, '/elsewhere']) await enter(browser, id)
    result = true
    await app.postern.users.suspend(id)
    await enter(browser, id)
    for (const name of [cookieNames.device, cookieNames.newDevice]) t.equal(browser.cookies.get(name), null)
    await exhaust(started, address)
    t.notOk(await canAsk(browser, address))
  })

  test(`${strategy}: attack: a device whose user was deleted or suspended`, async (t) => {
    const started = await startOwn(t, { session })
    const { app, clock, enter, signUp } = started
    const acts: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
      deleted: (id) => app.postern.deleteUser(id),
      suspended: (id) => app.postern.users.suspend(id)
    }
    for (const [name, act] of Object.entries(acts)) {
      const browser = browserAt(app, clock, '7.7.7.7')
      const email = `${name}@example.com`
      const id = await signUp(email)
      await enter(browser, id)
      clock.advance(60)
      await exhaust(started, email)
      t.ok(await canAsk(browser, email), name)
      await act(id)
      t.notOk(await canAsk(browser, email), name)
    }
  })
}
