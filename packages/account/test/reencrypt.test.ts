import { memoryAdapter } from '@postern/adapters/memory'
import { type Adapter, createPostern, type PosternOptions } from '@postern/core'
import type { FeatureContext } from '@postern/core/feature'
import { createClock, createIssuer } from '@postern/testkit'
import { times } from '@postern/testkit/long'
import t from 'tap'
import { comeBack, createUser, openAccountApplication } from './account-application.ts'
import { storesAt } from './stores.ts'

const [a, b, c] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)]
const now = new Date('2030-01-01T00:00:00Z')

/** A process with a store, and the context of a feature that stores factors and tickets. */
function open(adapter: Adapter, options: Pick<PosternOptions, 'secret' | 'dataSecret'>) {
  const logged: (readonly [code: string, metadata: unknown])[] = []
  const log = (code: string, metadata?: unknown): void => void logged.push([code, metadata])
  const found: { context: FeatureContext | null } = { context: null }
  const setup = (context: FeatureContext) => {
    found.context = context
    return { hashedFactors: ['hashed'] }
  }
  const auth = createPostern(
    {
      ...{ url: 'https://app.test', providers: [], adapter, runtime: { now: createClock(now).now } },
      features: [{ id: 'probe', setup }],
      logger: { error: log, warn: log, debug: () => undefined },
      ...options
    },
    {}
  )
  t.teardown(auth.close)
  if (!found.context) throw new Error('expected a context')
  const codes = (): readonly string[] => logged.map(([code]) => code)
  return { auth, context: found.context, logged, codes }
}

const toFactor = (id: string, type: string = 'totp') => ({
  ...{ type, id, userId: 'ada', name: null, data: `data of ${id}`, createdAt: now, lastUsedAt: null, version: 1 }
})

const toTicket = (id: string) => ({
  ...{ kind: 'request', id, userId: 'ada', data: `data of ${id}`, tries: 0, expires: new Date('2030-04-01T00:00:00Z') }
})

/** Stores rows with the secret `a`. */
async function fill(adapter: Adapter, count: number): Promise<void> {
  const { context } = open(adapter, { secret: a })
  for (let index = 0; index < count; index++) {
    await context.factors.create(toFactor(`factor-${index}`))
    await context.tickets.create(toTicket(`ticket-${index}`))
  }
}

const count = times(130, 1000)

t.test('reencrypt can be interrupted at any row and resumed, reads in pages, and counts what is left', async (t) => {
  const stop = new AbortController()
  const [limits, replaced]: [Set<number>, string[]] = [new Set(), []]
  const memory = memoryAdapter()
  const adapter: Adapter = {
    ...memory,
    listEncryptedRows: (query) => {
      limits.add(query.limit)
      return memory.listEncryptedRows(query)
    },
    replaceEncryptedTexts: (table, row, texts) => {
      replaced.push(row.id)
      if (replaced.length === count + 20) stop.abort(new Error('stopped'))
      return memory.replaceEncryptedTexts(table, row, texts)
    }
  }
  await fill(memory, count)
  const { auth, context } = open(adapter, { secret: b, dataSecret: [b, a] })
  t.same(await auth.reencrypt({ dryRun: true }), { reencrypted: 0, left: 2 * count, unreadable: 0 })
  t.same(replaced, [], 'a dry run writes nothing')
  await t.rejects(auth.reencrypt({ signal: stop.signal }), { message: 'stopped' })
  t.equal(replaced.length, count + 20)
  t.same(await auth.reencrypt({ dryRun: true }), { reencrypted: 0, left: count - 20, unreadable: 0 })
  t.same(await auth.reencrypt(), { reencrypted: count - 20, left: 0, unreadable: 0 })
  t.same(await auth.reencrypt(), { reencrypted: 0, left: 0, unreadable: 0 })
  t.equal(new Set(replaced).size, replaced.length, 'no row twice')
  t.ok([...limits].every((limit) => limit <= 100))
  t.same(await context.factors.get({ type: 'totp', id: 'factor-0' }), toFactor('factor-0'), 'with its version')
  const later = open(memory, { secret: b })
  t.match(await later.context.tickets.read({ kind: 'request', id: 'ticket-0' }), { data: 'data of ticket-0' })
})

t.test('a row that another writer has changed meanwhile is left to it', async (t) => {
  const memory = memoryAdapter()
  await fill(memory, 1)
  const other = open(memory, { secret: [b, a] })
  const { auth, context } = open(
    {
      ...memory,
      replaceEncryptedTexts: async (table, row, texts) => {
        if (table === 'factor') await other.context.factors.update({ ...toFactor(row.id), data: 'newer' }, 1)
        return memory.replaceEncryptedTexts(table, row, texts)
      }
    },
    { secret: b, dataSecret: [b, a] }
  )
  t.same(await auth.reencrypt(), { reencrypted: 1, left: 0, unreadable: 0 }, 'the ticket')
  t.match(await context.factors.get({ type: 'totp', id: 'factor-0' }), { data: 'newer', version: 2 })
})

t.test('rows that are read are encrypted again, and a caller that has read them can write them', async (t) => {
  const memory = memoryAdapter()
  await fill(memory, 1)
  const during = open(memory, { secret: [b, a] })
  const read = await during.context.factors.get({ type: 'totp', id: 'factor-0' })
  await during.context.tickets.read({ kind: 'request', id: 'ticket-0' })
  await during.auth.close()
  t.same(await during.auth.reencrypt({ dryRun: true }), { reencrypted: 0, left: 0, unreadable: 0 })
  t.equal(await during.context.factors.update({ ...toFactor('factor-0'), data: 'next' }, read?.version ?? 0), true)
})

t.test('what is one-way is stored without encryption, and needs no secret; no two calls write the same', async (t) => {
  const memory = memoryAdapter()
  const { context } = open(memory, { secret: a })
  const factor = { ...toFactor('ada', 'hashed'), data: '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA' }
  await context.factors.create(factor)
  const first = await memory.getFactor(factor)
  t.match(first?.data, factor.data)
  t.equal(await context.factors.update({ ...factor, lastUsedAt: null }, 1), true)
  t.not((await memory.getFactor(factor))?.data, first?.data, 'an adapter tells writes of equal data apart')
  const later = open(memory, { secret: c })
  t.same(await later.context.factors.get(factor), { ...factor, version: 2 })
  t.same(await later.context.factors.list('ada'), [{ ...factor, version: 2 }])
  t.same(await later.auth.reencrypt(), { reencrypted: 0, left: 0, unreadable: 0 })
})

t.test('rows whose secret is not listed are counted, and a warning at startup names their number', async (t) => {
  const memory = memoryAdapter()
  await fill(memory, 2)
  await memory.createTicket({ ...toTicket('expired'), expires: new Date(now.getTime() - 1) })
  const { auth, logged } = open(memory, { secret: b, dataSecret: c })
  t.same(await auth.reencrypt(), { reencrypted: 0, left: 4, unreadable: 4 })
  t.match(logged, [
    ['DATA_KEY_MISSING', /^at least 4 rows .* \(2 factors, 2 tickets, 0 accounts\).* at the end of dataSecret/]
  ])
  t.same(open(memory, { secret: b, dataSecret: [c, a] }).codes(), [])
})

t.test(
  'a store that does not respond at startup is not waited for; an adapter without the methods says so',
  async (t) => {
    const memory = memoryAdapter()
    const down: Adapter = { ...memory, listEncryptedRows: () => Promise.reject(new Error('down')) }
    const { auth, codes } = open(down, { secret: a })
    await auth.close()
    t.notOk(codes().includes('DATA_KEY_MISSING'))
    t.notOk(codes().includes('BACKGROUND_TASK_ERROR'))
    await t.rejects(auth.reencrypt(), { code: 'StoreUnavailable' })

    const { listEncryptedRows: _, ...foreign } = memoryAdapter()
    await fill(foreign, 1)
    const other = open(foreign, { secret: [b, a] })
    await t.rejects(other.auth.reencrypt(), { code: 'ADAPTER_INCOMPLETE', message: /listEncryptedRows/ })
    t.match(await other.context.factors.get({ type: 'totp', id: 'factor-0' }), { data: 'data of factor-0' })
    await t.rejects(other.auth.reencrypt({ dryRuns: true } as never), TypeError)
  }
)

t.test('a refresh token that is encrypted again during a refresh is replaced by the new one', async (t) => {
  const adapter: Adapter = memoryAdapter()
  const options = { adapter, account: { encryptTokens: true } }
  const before = await openAccountApplication(t, 'jwt', { ...options, secret: a })
  const issuer = createIssuer({ clock: before.clock, refreshTokens: true })
  const started = await openAccountApplication(t, 'jwt', {
    ...{ ...options, secret: a },
    runtime: { now: before.clock.now, fetch: (address, init) => issuer.fetch(address, init) }
  })
  const browser = started.newBrowser()
  await comeBack({ issuer }, browser, await browser.submit('/api/auth/signin/acme', {}), { sub: 'eve', name: 'Eve' })
  const { id = '' } = (await adapter.getUserByAccount?.({ provider: 'acme', providerAccountId: 'eve' })) ?? {}
  const refreshing = await openAccountApplication(t, 'jwt', {
    ...{ ...options, secret: [b, a] },
    runtime: {
      now: before.clock.now,
      fetch: async (address, init) => {
        if (String(init?.body).includes('refresh_token')) await refreshing.auth.reencrypt()
        return issuer.fetch(address, init)
      }
    }
  })
  const tokens: string[] = []
  while (tokens.length < 3) {
    before.clock.advance(3600)
    tokens.push(await refreshing.auth.getAccessToken(id, 'acme'))
  }
  t.equal(new Set(tokens).size, 3, 'each token is used once: RFC 9700 §4.14.2')
  t.match(await refreshing.auth.reencrypt({ dryRun: true }), { left: 0 })
})

for (const [name, skip, openStore] of storesAt(1, 3))
  t.test(`${name}: reencrypt runs beside writers, and undoes nothing that they write`, { skip }, async (t) => {
    const adapter = await openStore(t)
    const app = await openAccountApplication(t, 'jwt', { adapter, secret: a })
    await createUser(app)
    const { id: userId = '' } = (await adapter.getUserByEmail?.('ada@example.com')) ?? {}
    const before = open(adapter, { secret: a })
    const rounds = times(12, 200)
    const ids = Array.from({ length: 6 }, (_, index) => `counter-${index}`)
    for (const id of ids) await before.context.factors.create({ ...toFactor(id), userId, data: '0' })
    // A process that still writes with the old secret, and one with the new one.
    const writers = [open(adapter, { secret: [a, b] }), open(adapter, { secret: [b, a] })]
    const written = new Map<string, number>()
    const write = async ({ context: { factors } }: ReturnType<typeof open>): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        const id = ids[round % ids.length] ?? ''
        const factor = await factors.get({ type: 'totp', id })
        if (!factor) continue
        const data = String(Number(factor.data) + 1)
        if (await factors.update({ ...factor, data }, factor.version)) written.set(id, (written.get(id) ?? 0) + 1)
      }
    }
    const { auth } = open(adapter, { secret: [b, a] })
    let isDone = false
    const writing = Promise.all(writers.map(write)).then(() => {
      isDone = true
    })
    while (!isDone) await auth.reencrypt()
    await writing
    // What a process read, it also encrypts again: the one with the old secret in the first place, with that.
    for (const writer of writers) await writer.auth.close()
    t.equal((await auth.reencrypt()).left, 0)
    const later = open(adapter, { secret: b })
    for (const id of ids) {
      const factor = await later.context.factors.get({ type: 'totp', id })
      t.equal(Number(factor?.data), written.get(id), id)
      t.equal(factor?.version, 1 + (written.get(id) ?? 0), 'its version counts the writes only')
    }
  })
