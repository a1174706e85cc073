import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { type Browser, createIssuer } from '@postern/testkit'
import { callNumbers, inTurn, isLong, some } from '@postern/testkit/long'
import t from 'tap'
import { readUserRecord, replaceUserRecord } from '../src/pages/email/user-record.ts'
import {
  type AccountApplication,
  accountPath,
  ada,
  addPasskey,
  base,
  canSignIn,
  comeBack,
  createUser,
  first,
  forget,
  getAddress,
  openAccountApplication,
  origin,
  signInByMail
} from './account-application.ts'
import {
  askForEmail,
  changeEmail,
  emailPath,
  getEmail,
  getId,
  getMail,
  getToken,
  getUndoUrl,
  grace,
  isSignedIn,
  undo
} from './email-application.ts'
import { createMortal } from './interrupted-store.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { answer, enroll } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'
import { day, linkAcme, mallory, openSession, person, signInAtAcme, thiefsPerson, third } from './undo-application.ts'

t.test(
  'the owner undoes a change with an account of a provider that states no time of the authentication',
  async (t) => {
    const issuer = createIssuer()
    const { issuer: url, clientId, clientSecret } = issuer
    const hub = {
      ...{ id: 'hub', name: 'Hub', type: 'oauth', clientId, ...(clientSecret === null ? {} : { clientSecret }) },
      authorization: { url: `${url}/authorize`, params: { scope: 'email profile' } },
      ...{ token: `${url}/token`, userinfo: `${url}/userinfo`, issuer: url },
      profile: ({ sub, name, email }: Record<string, unknown>) => ({
        id: String(sub),
        name: String(name),
        email: String(email)
      })
    }
    const hubIssuer: Pick<AccountApplication, 'issuer'> = {
      issuer: {
        ...issuer,
        authorize: (address, who) => issuer.authorize(address.replace('scope=email', 'scope=openid+email'), who)
      }
    }
    const app = await openAccountApplication(t, 'database', {
      providers: [hub as never],
      runtime: {
        // As a provider without OpenID Connect.
        fetch: async (address, init) => {
          const response = await issuer.fetch(address, init)
          if (!new Request(address, init).url.endsWith('/token')) return response
          const { id_token: _, ...tokens }: Record<string, unknown> = await response.json()
          return Response.json(tokens, { status: response.status })
        }
      }
    })
    const owner = app.newBrowser()
    await signInByMail(owner, ada, app.mailbox)
    const id = await getId(app, ada)
    await comeBack(hubIssuer, owner, await owner.submit(`${base}/signin/hub`, { link: 'true' }), person)
    t.equal((await app.adapter.getAccounts?.(id))?.length, 1, JSON.stringify(app.logged.slice(-2)))
    app.clock.advance(8 * day)
    const session = app.newBrowser()
    await signInByMail(session, ada, app.mailbox)
    await changeEmail(app, copy(app, session), mallory)
    t.equal(await getEmail(app, id), mallory)
    app.clock.advance(60)
    const again = app.newBrowser()
    await comeBack(hubIssuer, again, await again.submit(`${base}/signin/hub`, {}), person)
    t.ok(await isSignedIn(again), 'the owner signs in with the account from before the change')
    const page = await again.open(getUndoUrl(app))
    t.equal(page.status, 200, 'an undo is offered')
    t.equal(page.html().querySelector('#password'), null, 'the session is enough')
    t.equal((await undo(again, getUndoUrl(app))).status, 200)
    t.equal(await getEmail(app, id), ada)
  }
)

t.test(
  'the owner of an authenticator app is not asked for a code from the mailbox of the thief on the way to the undo',
  async (t) => {
    const app = await openAccountApplication(t, 'database')
    const browser = app.newBrowser()
    await signInByMail(browser, ada, app.mailbox)
    await linkAcme(app, browser)
    const id = await getId(app, ada)
    const { app: phone } = await enroll(app, browser)
    app.clock.advance(day)
    const owner = await signInAtAcme(app, app.newBrowser())
    await answer(owner, { code: phone.code() })
    app.clock.advance(31)
    const stolen = copy(app, owner)
    await changeEmail(app, stolen, mallory)
    t.equal(await getEmail(app, id), mallory)
    const url = getUndoUrl(app)
    const thiefs = createAuthenticator({ origin })
    await addPasskey(stolen, thiefs, { isUserVerified: false })
    for (let count = 0; count < (isLong ? 12 : 8); count++) {
      const thief = app.newBrowser()
      await signInWithPasskey(thief, thiefs)
      for (let tries = 0; tries < 5; tries++) {
        await answer(thief, { code: phone.wrongCode() })
        app.clock.advance(30)
      }
    }
    app.clock.advance(3600)
    const again = await signInAtAcme(app, app.newBrowser())
    const response = await answer(again, { code: phone.code() })
    t.equal(response.location, null, 'a mailed code is needed')
    await answer(again, { send: 'mail' })
    t.equal(app.mailbox.last().to, ada, 'the code goes to the address from before')
    await answer(again, { code: phone.code(), mailCode: app.mailbox.last().code })
    t.ok(await isSignedIn(again))
    t.equal((await undo(again, url)).status, 200)
  }
)

t.test(
  'without transactions, an owner is not asked to authenticate without an end after an undo that stopped',
  async (t) => {
    for (const writes of callNumbers(14)) {
      const { adapter, during } = createMortal()
      const app = await openAccountApplication(t, 'database', { adapter })
      await linkAcme(app, await createUser(app))
      const id = await getId(app, ada)
      app.clock.advance(8 * day)
      // Changes of the owner.
      await changeEmail(app, await openSession(app), grace)
      await changeEmail(app, await openSession(app, first, grace), 'grace2@example.com')
      await changeEmail(app, await openSession(app, first, 'grace2@example.com'), mallory)
      const url = getUndoUrl(app, grace)
      const done = await during(writes, () => undo(app.newBrowser(), url, { password: first }))
      app.clock.advance(61)
      const again = await openSession(app, first, (await getEmail(app, id)) ?? '')
      const started = await again.submit(`${base}/factors/totp/start`, {})
      t.match(started.location, /factors\/totp$/, `after ${writes} writes`)
      if (done < writes) break
    }
  }
)

t.test('without transactions, a session from before a change proves no undo after one that stopped', async (t) => {
  for (const writes of callNumbers(14)) {
    const { adapter, during } = createMortal()
    const app = await openAccountApplication(t, 'database', { adapter })
    await linkAcme(app, await createUser(app))
    const id = await getId(app, ada)
    app.clock.advance(8 * day)
    await changeEmail(app, await openSession(app), grace)
    // It states that it began after the first change.
    const stolen = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, await openSession(app, first, grace), 'grace2@example.com')
    const url = getUndoUrl(app, grace)
    const done = await during(writes, () => undo(app.newBrowser(), url, { password: first }))
    app.clock.advance(61)
    const before = await getEmail(app, id)
    const events = async () => (await app.adapter.listEvents?.({ userId: id, type: 'email-undone', limit: 9 })) ?? []
    const undone = await events()
    const response = await undo(stolen, url)
    // A link that was used answers that it is done.
    if (undone.length === 0) t.not(response.status, 200, `after ${writes} writes`)
    t.equal(await getEmail(app, id), before)
    t.equal((await events()).length, undone.length)
    if (done < writes) break
  }
})

t.test('a record of a user that has expired for one process does not hide the new one from another', async (t) => {
  const stored = new Map<string, { id: string; kind: string; data: string; expires: Date }>()
  let now = 0
  const tickets = {
    read: async ({ kind, id }: { kind: string; id: string }) => {
      const found = stored.get(`${kind} ${id}`)
      return found && found.expires.getTime() > now ? found : null
    },
    readAll: (keys: readonly { kind: string; id: string }[]) => Promise.all(keys.map((key) => tickets.read(key))),
    consume: async ({ kind, id }: { kind: string; id: string }) => {
      const found = stored.get(`${kind} ${id}`) ?? null
      stored.delete(`${kind} ${id}`)
      return found
    }
  }
  const key = { kind: 'record', userId: 'ada' }
  const write = async (data: string, expires: number): Promise<void> => {
    for (const { method, args } of await replaceUserRecord(key, { data, expires: new Date(expires) }, {
      tickets
    } as never)) {
      const [ticket] = args as never as [{ kind: string; id: string; data: string; expires: Date }]
      if (method === 'createTicket') stored.set(`${ticket.kind} ${ticket.id}`, ticket)
      else await tickets.consume(ticket)
    }
  }
  await write('one', 100)
  await write('two', 100)
  // For this process the record has expired.
  now = 110
  await write('three', 200)
  // For the other one it has not.
  now = 90
  t.equal(await readUserRecord(key, { tickets } as never), 'three')
})

t.test('what a sign-in may return to leads to no other origin, and no other page', async (t) => {
  const app = await openAccountApplication(t, 'database')
  await createUser(app)
  const paths = [
    `${origin}${emailPath}/undo/../../../signout`,
    `${origin}${emailPath}/undo/..%2f..%2fsignout`,
    `${origin}${emailPath}/undo@evil.example`,
    `//evil.example${emailPath}/undo`,
    `/\\evil.example${emailPath}/undo`,
    `https://evil.example${emailPath}/undo`,
    `${origin}.evil.example${emailPath}/undo`,
    `${origin}@evil.example${emailPath}/undo`,
    `${origin}${base}/signin?callbackUrl=${origin}${emailPath}/undo`,
    `${origin}${base}/callback/acme?x=${emailPath}/undo`
  ]
  for (const path of paths) {
    const browser = app.newBrowser()
    const page = await browser.open(`${base}/signin?callbackUrl=${encodeURIComponent(path)}`)
    const { location } = await browser.fill(page, `${base}/callback/password`, { email: ada, password: first })
    const target = new URL(location ?? '', origin)
    t.equal(target.origin, origin, path)
    t.notMatch(target.pathname, /signin|signout|callback/, path)
  }
})

t.test('the page of an undo shows someone with the link nothing but what the mail contains', async (t) => {
  const app = await openAccountApplication(t, 'database')
  await linkAcme(app, await createUser(app))
  const id = await getId(app, ada)
  app.clock.advance(8 * day)
  await changeEmail(app, await openSession(app), grace)
  const visitor = app.newBrowser()
  const { body } = await visitor.open(getUndoUrl(app))
  const shown = JSON.stringify(await visitor.json(getUndoUrl(app).replace(origin, '')))
  for (const text of [grace, id, 'acme', '$argon2', '$scrypt']) {
    t.notMatch(shown, text)
    if (text !== 'acme') t.notMatch(body, text)
  }
})

t.test(
  'a session that proves an undo still does after it has ended the other ones and was updated, and a client sets no claims',
  async (t) => {
    for (const strategy of inTurn(['jwt', 'database'] as const)()) {
      const app = await openAccountApplication(t, strategy)
      await linkAcme(app, await createUser(app))
      const id = await getId(app, ada)
      app.clock.advance(8 * day)
      const session = await openSession(app)
      const stolen = await openSession(app)
      await changeEmail(app, session, mallory)
      const owner = await signInAtAcme(app, app.newBrowser())
      await owner.submit(`${accountPath}/devices/end-others`, {})
      await owner.open(`${base}/session`)
      t.ok(await isSignedIn(owner), strategy)
      t.notOk(await isSignedIn(stolen), strategy)
      t.equal((await undo(owner, getUndoUrl(app))).status, 200, strategy)
      t.equal(await getEmail(app, id), ada)
    }
  }
)

t.test('what a thief does at any call of the store during an undo leaves the owner in control', async (t) => {
  const acts = ['change', 'passkey', 'account', 'reset'] as const
  const cases = some(
    [true, false].flatMap((isAtomic) => acts.map((act) => ({ isAtomic, act }))),
    ({ isAtomic, act }) => [isAtomic, act],
    1
  )
  for (const { isAtomic, act } of cases)
    for (const at of callNumbers(28)) {
      const inner = memoryAdapter()
      let count = Number.NEGATIVE_INFINITY
      let run: (() => Promise<unknown>) | null = null
      const adapter: Adapter = Object.fromEntries(
        Object.entries(inner)
          .filter(([name]) => isAtomic || (name !== 'transact' && name !== 'atomically'))
          .map(([name, method]) => {
            if (typeof method !== 'function' || name === 'transact') return [name, method]
            return [
              name,
              async (...args: unknown[]) => {
                if (count++ === at) {
                  const work = run
                  run = null
                  await work?.().catch(() => undefined)
                }
                return Reflect.apply(method as () => unknown, inner, args as [])
              }
            ]
          })
      )
      const app = await openAccountApplication(t, 'database', { adapter })
      await linkAcme(app, await createUser(app))
      const id = await getId(app, ada)
      app.clock.advance(8 * day)
      const stolen = await openSession(app)
      await changeEmail(app, stolen, mallory)
      const thiefs = createAuthenticator({ origin })
      const url = getUndoUrl(app)
      let late: Browser | null = null
      if (act === 'change') {
        await askForEmail(stolen, 'mallory2@example.com')
        const token = getToken(getMail(app, 'mallory2@example.com').url)
        run = () => stolen.submit(`${emailPath}/confirm`, { token })
      } else if (act === 'passkey') {
        run = async () => {
          await addPasskey(stolen, thiefs)
          late = app.newBrowser()
          await signInWithPasskey(late, thiefs)
        }
      } else if (act === 'account') {
        run = async () => {
          await linkAcme(app, stolen, thiefsPerson)
          late = await signInAtAcme(app, app.newBrowser(), thiefsPerson)
        }
      } else {
        const thief = app.newBrowser()
        await forget(thief, mallory)
        const mail = app.mailbox.last()
        const page = await thief.open(mail.url)
        run = async () => {
          await thief.fill(page, 'form', { password: third })
          late = await openSession(app, third, (await getEmail(app, id)) ?? '')
        }
      }
      count = 0
      const response = await undo(app.newBrowser(), url, { password: first })
      const wasRun = run === null
      count = Number.NEGATIVE_INFINITY
      const about = `${act} at ${at}${isAtomic ? '' : ' without transactions'}`
      if (response.status !== 200) {
        app.clock.advance(61)
        t.equal((await undo(app.newBrowser(), url, { password: first })).status, 200, `${about}: again`)
      }
      t.equal(await getEmail(app, id), ada, about)
      t.not(await getAddress(stolen), ada, about)
      if (late) t.not(await getAddress(late), ada, `${about}: the session that began meanwhile`)
      t.notOk(await canSignIn(app.newBrowser(), ada, third), about)
      t.ok(await canSignIn(app.newBrowser(), ada, first), about)
      t.same(
        (await inner.getAccounts?.(id))?.map(({ providerAccountId }) => providerAccountId),
        ['ada'],
        about
      )
      t.same((await inner.listFactors?.(id, 'passkey')) ?? [], [], about)
      if (!wasRun) break
    }
})

t.test('a long chain of changes does not keep the owner from the undo', async (t) => {
  const app = await openAccountApplication(t, 'database')
  await createUser(app)
  const id = await getId(app, ada)
  app.clock.advance(8 * day)
  const stolen = await openSession(app)
  await changeEmail(app, stolen, 'mallory0@example.com')
  const url = getUndoUrl(app)
  for (let count = 1; count < (isLong ? 60 : 12); count++) await changeEmail(app, stolen, `mallory${count}@example.com`)
  t.equal((await undo(app.newBrowser(), url, { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
})
