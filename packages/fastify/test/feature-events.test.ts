import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import type { Feature, FeatureCall, SecurityEvent } from '@postern/core/feature'
import type { Person } from '@postern/testkit'
import t from 'tap'
import { getSession, people, signInAtIssuer, signInByForm, signInByMail, start } from './start.ts'
import { withoutTransactions } from './store-probe.ts'

const vera: Person = { sub: 'vera', name: 'Vera', email: 'vera@example.com', email_verified: true }
const account = { provider: 'demo', providerAccountId: 'vera' }
const stores: readonly (readonly [name: string, open: () => Adapter])[] = [
  ['memory', () => memoryAdapter()],
  ['sqlite', () => sqliteAdapter({ file: ':memory:' })],
  ['without transactions', () => withoutTransactions(memoryAdapter())]
]
type Write = (event: SecurityEvent) => readonly FeatureCall[]

/** A feature that records every event, and writes more for some. */
const createLog = (more: Write = () => []): Feature => ({
  id: 'log',
  needs: ['addEvents', 'createTicket'],
  setup: (context) => ({
    onEvent: (event) => {
      const { type, request, account } = event
      const provider = account?.provider ?? null
      const record = context.createEvent(`log-${type}`, { ...event, request, provider })
      return [{ method: 'addEvents', args: [[record]] }, ...more(event)]
    }
  })
})

/** The types of the recorded events of a user, in order. */
async function typesOf(adapter: Adapter | undefined, userId: string): Promise<readonly string[]> {
  return ((await adapter?.listEvents?.({ userId, limit: 100 })) ?? []).map(({ type }) => type).toSorted()
}

for (const strategy of ['jwt', 'database'] as const) {
  for (const [store, open] of stores) {
    const label = `${strategy}, ${store}`

    t.test(`every event is recorded with its change: ${label}`, async (t) => {
      const seen: SecurityEvent[] = []
      const log = createLog((event) => {
        seen.push(event)
        return []
      })
      const started = await start(t, {
        adapter: open(),
        session: { strategy },
        features: [log],
        linking: { signedIn: 'link' },
        instances: 1
      })
      const { browser, adapter, app } = started
      await signInByMail(started, browser)
      const { id = '' } = (await adapter?.getUserByEmail?.('ada@example.com')) ?? {}
      t.same(await typesOf(adapter, id), ['log-sign-in'])
      t.match(seen.at(-1), { userId: id, isNewUser: true, account: { provider: 'email' }, request: { method: 'GET' } })
      await signInAtIssuer(started, browser, vera)
      t.match(await adapter?.getUserByAccount?.(account), { id })
      t.same(await typesOf(adapter, id), ['log-link', 'log-sign-in', 'log-sign-in'])
      t.match(seen.at(-1), { type: 'sign-in', isNewUser: false, account })
      const [session] = await app.postern.sessions.list(id)
      t.equal(seen.at(-1)?.sessionId, session?.id)
      await browser.submit('/api/auth/signout', {})
      t.match(seen.at(-1), { type: 'session-end', userId: id, sessionId: session?.id, account: null })
      await app.postern.unlink(id, account)
      t.match(
        seen.find(({ type }) => type === 'unlink'),
        { userId: id, account, request: null }
      )
      await app.postern.deleteUser(id)
      const types = new Set(await typesOf(adapter, id))
      t.same([...types], ['log-delete', 'log-link', 'log-session-end', 'log-sign-in', 'log-unlink'])
    })

    t.test(`a sign-in whose writes find nothing to change is refused: ${label}`, async (t) => {
      const log = createLog(({ type }) =>
        type === 'sign-in' ? [{ method: 'consumeTicket', args: [{ kind: 'seat', id: '1' }] }] : []
      )
      const started = await start(t, { adapter: open(), session: { strategy }, features: [log], instances: 1 })
      t.match((await signInByMail(started, started.browser)).location, 'error=Verification')
      t.same(await getSession(started.browser), {})
      const { id = '' } = (await started.adapter?.getUserByEmail?.('ada@example.com')) ?? {}
      t.same(await typesOf(started.adapter, id), [])
      t.same((await started.adapter?.getSessionRecords?.({ userId: id })) ?? [], [])
    })
  }
}

for (const [store, open] of stores) {
  t.test(`an account stays if the writes of its removal find nothing to change: ${store}`, async (t) => {
    const log = createLog(({ type }) =>
      type === 'unlink' ? [{ method: 'consumeTicket', args: [{ kind: 'seat', id: '1' }] }] : []
    )
    const started = await start(t, { adapter: open(), features: [log], linking: { signedIn: 'link' }, instances: 1 })
    await signInByMail(started, started.browser)
    await signInAtIssuer(started, started.browser, vera)
    const { id = '' } = (await started.adapter?.getUserByEmail?.('ada@example.com')) ?? {}
    await t.rejects(started.app.postern.unlink(id, account), { code: 'Verification' })
    t.match(await started.adapter?.getUserByAccount?.(account), { id })
    t.notOk((await typesOf(started.adapter, id)).includes('log-unlink'))
  })
}

t.test('an unlink and its writes are one transaction', async (t) => {
  const started = await start(t, {
    adapter: memoryAdapter(),
    features: [createLog()],
    linking: { signedIn: 'link' },
    instances: 1
  })
  await signInByMail(started, started.browser)
  await signInAtIssuer(started, started.browser, vera)
  const { id = '' } = (await started.adapter?.getUserByEmail?.('ada@example.com')) ?? {}
  started.store.forget()
  await started.app.postern.unlink(id, account)
  const transaction = JSON.stringify(started.store.calls.find(({ method }) => method === 'transact'))
  t.match(transaction, /unlinkAccount.*addEvents/)
})

t.test('a ticket of an event belongs to the feature, and is written with the session', async (t) => {
  const ticket = { kind: 'seen', id: '1', userId: null, data: 'x', tries: 0, expires: new Date('2100-01-01') }
  const feature = createLog(({ type }) => (type === 'sign-in' ? [{ method: 'createTicket', args: [ticket] }] : []))
  const { browser, adapter, store } = await start(t, {
    adapter: memoryAdapter(),
    session: { strategy: 'database' },
    providers: [people],
    features: [feature],
    instances: 1
  })
  store.forget()
  await signInByForm(browser, 'grace')
  const transaction = JSON.stringify(store.calls.find(({ method }) => method === 'transact'))
  t.match(transaction, /createSession.*addEvents.*createTicket/)
  const stored = await adapter?.readTicket?.({ kind: 'log.seen', id: '1' })
  t.ok(stored && stored.data !== 'x', 'encrypted')
})

t.test(
  'an event that cannot be recorded undoes a session, or a JWT session without transactions is logged',
  async (t) => {
    for (const adapter of [memoryAdapter(), withoutTransactions(memoryAdapter())]) {
      const started = await start(t, { adapter, session: { strategy: 'jwt' }, features: [createLog()], instances: 1 })
      started.store.breakDown('addEvents')
      const { status } = await signInByForm(started.browser, 'grace')
      t.equal(status, adapter.transact ? 503 : 302)
      const signedIn = adapter.transact ? {} : { user: { email: 'grace@example.com' } }
      t.match(await getSession(started.browser), signedIn)
      if (!adapter.transact) t.match(started.log.join(), 'FEATURE_EVENT_ERROR')
    }
  }
)
