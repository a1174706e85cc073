import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, AdapterUser } from '@postern/core'
import t from 'tap'
import { getSession, signInAtIssuer, start } from './start.ts'

t.test('users are found by id, address and account, and listed with a cursor', async (t) => {
  const adapter = memoryAdapter()
  const { app } = await start(t, { adapter, instances: 1 })
  const { users } = app.postern
  const all = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      adapter.createUser({ name: `User ${i}`, email: `user-${i}@example.com`, emailVerified: null })
    )
  )
  const [ada] = all
  const account = { provider: 'demo', providerAccountId: '42' }
  await adapter.linkAccount({ ...account, type: 'oidc', userId: ada?.id ?? '' })
  for (const selector of [{ id: ada?.id ?? '' }, { email: ' USER-0@example.com' }, { account }])
    t.equal((await users.find(selector))?.id, ada?.id)
  const others = [
    { id: 'x' },
    { email: 'nobody@example.com' },
    { email: 'no address' },
    { email: 'user-_@example.com' }
  ]
  for (const selector of others) t.equal(await users.find(selector), null)
  t.equal(await users.find({ account: { ...account, providerAccountId: '43' } }), null)
  for (const wrong of [
    {},
    { id: '' },
    { id: '1', email: 'a@b.example' },
    { account: { provider: 'demo' } },
    { name: 'Ada' }
  ])
    await t.rejects(Reflect.apply(users.find, users, [wrong]), TypeError)

  const found: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof users.list>> = await users.list(cursor === null ? {} : { cursor })
    t.ok(page.users.length <= 25)
    found.push(...page.users.map(({ id }) => id))
    cursor = page.nextCursor
    t.notOk(
      found.some((id) => cursor?.includes(id)),
      'the cursor does not show an id'
    )
  } while (cursor !== null)
  t.same(found, all.map(({ id }) => id).sort())
  t.equal((await users.list({ limit: 60 })).nextCursor, null, 'the last page has no cursor, also if it is full')
  const { nextCursor } = await users.list({ limit: 1 })
  const forged = [ada?.id ?? '', `${nextCursor}x`, '', 'x'.repeat(10_000)]
  for (const wrong of forged)
    await t.rejects(users.list({ cursor: wrong }), { code: 'INVALID_CURSOR', statusCode: 400 })
  for (const limit of [0, 101, 1.5, -1]) await t.rejects(users.list({ limit }), TypeError)
})

t.test('an adapter without listUsers cannot list users, and no adapter cannot find them', async (t) => {
  const { listUsers: _, ...adapter } = memoryAdapter()
  const { app } = await start(t, { adapter, instances: 1 })
  await t.rejects(app.postern.users.list(), { code: 'ADAPTER_INCOMPLETE' })
  const { app: bare } = await start(t, { store: 'none', instances: 1 })
  await t.rejects(bare.postern.users.list(), { code: 'ADAPTER_INCOMPLETE' })
  await t.rejects(bare.postern.users.find({ id: '1' }), { code: 'ADAPTER_INCOMPLETE' })
})

/** An adapter of another library whose ids are numbers, as a column of integers has, and which refuses strings as Prisma does. */
function withNumbers(count: number): { readonly adapter: Adapter; readonly asked: unknown[] } {
  const asked: unknown[] = []
  const rows = Array.from({ length: count }, (_, i) => ({ id: i + 1, name: null, email: null, emailVerified: null }))
  const listUsers = async ({ after, limit }: { after: unknown; limit: number }): Promise<unknown> => {
    asked.push(after)
    if (after !== null && typeof after !== 'number') throw new Error('expected a number')
    return rows.filter(({ id }) => after === null || id > after).slice(0, limit)
  }
  const { transact: _, ...others } = memoryAdapter()
  return { adapter: Object.assign(others, { listUsers }), asked }
}

t.test(
  'users with numeric ids are listed in the order of the numbers, also by a process that has seen none',
  async (t) => {
    const { adapter, asked } = withNumbers(12)
    const { app } = await start(t, { adapter, instances: 1 })
    const getIds = ({ users }: { users: readonly AdapterUser[] }) => users.map(({ id }) => id)
    const first = await app.postern.users.list({ limit: 8 })
    t.same(getIds(first), ['1', '2', '3', '4', '5', '6', '7', '8'])
    const { app: other } = await start(t, { adapter, instances: 1 })
    const second = await other.postern.users.list({ limit: 8, cursor: first.nextCursor ?? '' })
    t.same([getIds(second), second.nextCursor], [['9', '10', '11', '12'], null])
    t.same(asked, [null, '8', 8], 'a string is tried first')
    await other.postern.users.list({ limit: 8, cursor: first.nextCursor ?? '' })
    t.same(asked.slice(3), [8], 'the type of the ids is already known')
  }
)

t.test('a sign-in that began before the application has removed its account reads everything again', async (t) => {
  const adapter = memoryAdapter()
  const ada = { sub: 'ada', name: 'Ada', email: 'ada@example.com', email_verified: true }
  const during: { act: () => Promise<unknown> } = { act: async () => undefined }
  const signIn = async () => {
    await during.act()
    return true
  }
  const started = await start(t, { adapter, callbacks: { signIn }, instances: 1 })
  const { app, newBrowser } = started
  const browser = newBrowser()
  await signInAtIssuer(started, browser, ada)
  const { id = '' } = (await adapter.getUserByEmail('ada@example.com')) ?? {}
  during.act = async () => {
    await adapter.unlinkAccount({ provider: 'demo', providerAccountId: 'ada' })
    await app.postern.users.changed(id)
  }
  const other = newBrowser()
  t.match((await signInAtIssuer(started, other, ada)).location, /OAuthAccountNotLinked/)
  t.same(await getSession(other), {})
  t.match(await getSession(browser), { user: { email: 'ada@example.com' } }, 'no session ends')
  await t.rejects(Reflect.apply(app.postern.users.changed, null, ['']), TypeError)
})
