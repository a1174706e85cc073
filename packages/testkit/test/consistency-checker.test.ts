import t from 'tap'
import {
  judge,
  Ledger,
  type Person,
  type Rows,
  rowsByAdapter,
  rowsBySql,
  settle,
  watching
} from '../src/consistency-checker.ts'
import { type BrowserAnswer, createBrowser } from '../src/index.ts'

const ada: Person = { name: 'ada', address: 'ada@example.com', accounts: ['demo:ada'] }
const bob: Person = { name: 'bob', address: 'bob@example.com' }

const good: Rows = {
  users: [
    { id: '1', email: 'ada@example.com', isProven: false },
    { id: '2', email: 'bob@example.com', isProven: true }
  ],
  accounts: [{ userId: '1', key: 'demo:ada' }],
  sessions: [{ userId: '1' }, { userId: '2' }],
  links: []
}

/** Two signed-in users, and additional entries of the test. */
async function findings(
  plant: { readonly rows?: Partial<Rows>; readonly whose?: Record<string, string | null>; readonly isLockedOut?: true },
  record: (ledger: Ledger) => unknown = () => undefined
): Promise<readonly string[]> {
  const ledger = new Ledger()
  ledger.note(ada, { result: 'session', given: 'a' })
  ledger.note(bob, { result: 'session', given: 'b' })
  record(ledger)
  const whose: Record<string, string | null> = { a: ada.address, b: bob.address, ...plant.whose }
  const last = plant.isLockedOut ? 'error OAuthAccountNotLinked' : 'session'
  let signIns = 0
  const survivor = {
    // The last sign-ins leave a session each.
    rows: async () => {
      const rows = { ...good, ...plant.rows }
      const more = signIns > 0 ? rows.users.map(({ id }) => ({ userId: id })).slice(0, 2) : []
      return { ...rows, sessions: [...(rows.sessions ?? []), ...more] }
    },
    whose: async (cookie: string) => whose[cookie] ?? null,
    signIn: async (person: Person) => {
      signIns += 1
      ledger.note(person, { result: last, given: last === 'session' ? `last ${person.name}` : null })
    }
  }
  return judge(ledger, survivor, { title: 'a planted row' })
}

t.test('nothing is found where all is well', async (t) => {
  t.same(await findings({}), [])
})

const planted: readonly (readonly [title: string, rows: Partial<Rows>, found: RegExp])[] = [
  ['a user twice', { users: [...good.users, { id: '3', email: ada.address, isProven: true }] }, /^ada, .*: 2 users$/],
  ['a user too few', { users: good.users.slice(1), accounts: [], sessions: [{ userId: '2' }] }, /^ada, .*: no user$/],
  ['a user of no one', { users: [...good.users, { id: '3', email: 'eve@example.com', isProven: true }] }, /eve@/],
  ['a user without a sign-in method', { accounts: [] }, /^ada, .* without an account and without a proven address$/],
  ['an account without a user', { accounts: [...good.accounts, { userId: '9', key: 'demo:eve' }] }, /demo:eve has no/],
  ['an account twice', { accounts: [...good.accounts, { userId: '2', key: 'demo:ada' }] }, /demo:ada is there 2 times/],
  [
    'an account of another user',
    { accounts: [{ userId: '2', key: 'demo:ada' }] },
    /demo:ada belongs to bob@example\.com/
  ],
  ['a session without a user', { sessions: [...(good.sessions ?? []), { userId: '9' }] }, /a session has no user: 9/],
  ['a session too few', { sessions: [{ userId: '1' }] }, /^bob, who received session: 0 sessions, expected 1$/],
  ['a session too many', { sessions: [...(good.sessions ?? []), { userId: '1' }] }, /^ada, .*: 2 sessions, expected 1$/]
]

for (const [title, rows, found] of planted) {
  t.test(`${title} is found`, async (t) => {
    const all = await findings({ rows })
    t.ok(
      all.some((one) => found.test(one)),
      all.join('\n')
    )
  })
}

t.test('a cookie that opens nothing, another user’s session, or one that has ended is found', async (t) => {
  t.match(await findings({ whose: { a: null } }), ['ada: a session that is good is that of no one'])
  t.match(await findings({ whose: { a: bob.address } }), ['ada: a session that is good is that of bob@example.com'])
  const out = await findings({ rows: { sessions: [{ userId: '2' }] } }, (ledger) =>
    ledger.note(ada, { result: 'signed out', before: 'a' })
  )
  t.match(out, ['ada: a session that is ended is that of ada@example.com'])
  const isRight = { whose: { a: null }, rows: { sessions: [{ userId: '2' }] } }
  t.same(await findings(isRight, (ledger) => ledger.note(ada, { result: 'signed out', before: 'a' })), [])
})

t.test('one cookie for two people is found', async (t) => {
  const found = await findings({}, (ledger) => ledger.note(bob, { result: 'session', given: 'a', before: 'a' }))
  t.ok(found.includes('bob was given the session of ada'))
})

t.test('a user who cannot sign in again is found', async (t) => {
  const found = await findings({ isLockedOut: true })
  t.ok(found.includes('ada is locked out: the last sign-in received error OAuthAccountNotLinked'))
})

t.test('an unexpected error is found; an outage is accepted', async (t) => {
  const found = await findings({}, (ledger) => {
    ledger.note(ada, { result: 'error AccessDenied' })
    ledger.note(ada, { result: 'error 503' })
    ledger.note(ada, { result: 'error StoreUnavailable' })
  })
  t.same(found, ['ada received error AccessDenied'])
})

t.test('a session whose response was lost may be there or not, and so may one that it would have ended', async (t) => {
  const cut = (ledger: Ledger): void => ledger.note(ada, { result: 'cut', before: 'a' })
  for (const sessions of [[{ userId: '2' }], [{ userId: '1' }, { userId: '2' }]]) {
    t.same(await findings({ rows: { sessions }, whose: { a: null } }, cut), [])
    t.same(await findings({ rows: { sessions } }, cut), [])
  }
  const three = [{ userId: '1' }, { userId: '1' }, { userId: '1' }, { userId: '2' }]
  t.match(await findings({ rows: { sessions: three } }, cut), [/^ada, .*: 3 sessions, expected 0 to 2$/])
})

t.test('a link that makes two sessions, and one that is burnt in silence, are found', async (t) => {
  const twice = await findings({}, (ledger) => {
    ledger.note(bob, { result: 'session', given: 'b', before: 'b', link: 'l' })
    ledger.note(bob, { result: 'session', given: 'b', before: 'b', link: 'l' })
  })
  t.match(twice, [/^bob, .*: one link made 2 sessions$/])
  const eve: Person = { name: 'eve', address: 'eve@example.com' }
  const cut = (ledger: Ledger): void => ledger.note(eve, { result: 'cut', link: 'l' })
  const consumed = 'eve, who received cut: a link is consumed, and no client was informed'
  t.ok((await findings({}, cut)).includes(consumed))
  t.notOk((await findings({ rows: { links: ['eve@example.com'] } }, cut)).includes(consumed), 'it is good yet')
  const reported = await findings({}, (ledger) => {
    cut(ledger)
    ledger.note(eve, { result: 'error Verification', link: 'l' })
  })
  t.notOk(reported.some((found) => found.includes('used up')))
})

t.test('a run that looked at nothing fails', async (t) => {
  const nothing: Rows = { users: [], accounts: [], sessions: [], links: [] }
  const survivor = { rows: async () => nothing, whose: async () => null, signIn: async () => undefined }
  const found: unknown[] = []
  const test = { same: (...args: readonly unknown[]) => found.push(args[0]) }
  await settle(test, new Ledger(), survivor, { title: 'nothing' })
  t.same(found, [['there was nothing to compare']])
})

const cookie = (value: string, more = ''): string => `next-auth.session-token=${value}; Path=/${more}`

/** A browser of Ada, and a server that returns the given responses in order. */
function conversation(results: readonly (Partial<BrowserAnswer> | Error)[]) {
  const queue = [...results]
  const ledger = new Ledger()
  const send = watching(
    ledger,
    ada
  )(async () => {
    const outcome = queue.shift() ?? new Error('nothing more was expected')
    if (outcome instanceof Error) throw outcome
    return { status: 200, headers: {}, body: '{}', ...outcome }
  })
  const browser = createBrowser({ origin: 'https://app.test', send })
  const fields = { csrfToken: 'c' }
  return {
    ledger,
    signIn: () => browser.submit('/api/auth/callback/demo', fields),
    openLink: () => browser.open('/api/auth/callback/email?token=t1&email=ada@example.com'),
    read: () => browser.open('/api/auth/session'),
    signOut: () => browser.submit('/api/auth/signout', fields),
    result: () => ledger.of(ada).tries.map(({ result }) => result)
  }
}

const signedIn = { status: 302, headers: { location: 'https://app.test', 'set-cookie': [cookie('a')] } }
const me = { body: JSON.stringify({ user: { email: ada.address } }) }
const cleared = { 'set-cookie': [cookie('', '; Max-Age=0')] }

t.test('the ledger records the results of a browser', async (t) => {
  const { ledger, signIn, openLink, read, signOut, result } = conversation([
    { status: 302, headers: { location: 'https://app.test/api/auth/error?error=Verification' } },
    { status: 503, body: '{"url":"https://app.test/api/auth/error?error=StoreUnavailable"}' },
    { status: 503 },
    new Error('reset'),
    { status: 200, body: '<p>Press the button' },
    signedIn,
    me,
    { status: 302, headers: { location: 'https://app.test', ...cleared } },
    {}
  ])
  await openLink()
  await signIn()
  await signIn()
  await t.rejects(signIn())
  await openLink()
  await openLink()
  await read()
  await signOut()
  await read()
  t.same(result(), ['error Verification', 'error StoreUnavailable', 'error 503', 'cut', 'session', 'signed out'])
  t.same(ledger.of(ada).tries[0]?.link, 't1')
  t.same(
    [...ledger.cookies.values()].map(({ state }) => state),
    ['ended']
  )
  t.equal(ledger.reads, 2)
  t.same(ledger.complaints, [])
})

t.test('answers that are wrong in themselves are noted', async (t) => {
  const cases: readonly (readonly [readonly (Partial<BrowserAnswer> | Error)[], string])[] = [
    [[signedIn, {}], 'ada, who is signed in, got a session of no one'],
    [
      [signedIn, { body: '{"user":{"email":"bob@example.com"}}' }],
      'ada, who is signed in, got a session of bob@example.com'
    ],
    [[signedIn, { status: 503, headers: cleared }], 'ada: GET /api/auth/session took the session away'],
    [[signedIn, { status: 500 }], 'ada: GET /api/auth/session was answered 500']
  ]
  for (const [results, complaint] of cases) {
    const { ledger, signIn, read } = conversation(results)
    await signIn()
    await read()
    t.ok(ledger.complaints.includes(complaint), complaint)
  }
  const stranger = conversation([me])
  await stranger.read()
  t.same(stranger.ledger.complaints, ['ada, who is not signed in, got a session of ada@example.com'])
})

t.test('rows are read from tables, and through an adapter', async (t) => {
  const tables: Record<string, readonly object[]> = {
    user: [{ id: 1, email: null, emailVerified: null }],
    account: [{ userId: 1, provider: 'demo', providerAccountId: 'ada' }],
    session: [{ userId: 1 }],
    verificationToken: [{ identifier: 'ada@example.com' }]
  }
  const read = await rowsBySql((sql) => tables[/"(.*)"/.exec(sql)?.[1] ?? ''] ?? [])
  t.same(read, {
    users: [{ id: '1', email: null, isProven: false }],
    accounts: [{ userId: '1', key: 'demo:ada' }],
    sessions: [{ userId: '1' }],
    links: ['ada@example.com']
  })
  const user = { id: '1', email: ada.address, emailVerified: new Date() }
  const other = { id: '2', email: null, emailVerified: null }
  const store = {
    getUserByEmail: () => user,
    getUserByAccount: () => other,
    getAccounts: (id: string) => (id === '2' ? [{ provider: 'demo', providerAccountId: 'ada' }] : []),
    listSessions: () => [{}]
  }
  const result = await rowsByAdapter(store, [ada])
  t.same(
    result.users.map(({ id }) => id),
    ['1', '2'],
    'an account that belongs to another user than the address shows'
  )
  t.same(result.accounts, [{ userId: '2', key: 'demo:ada' }])
  t.equal(result.sessions?.length, 2)
})
