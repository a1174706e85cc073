import { memoryAdapter } from '@postern/adapters/memory'
import credentials from '@postern/core/providers/credentials'
import t from 'tap'
import { cookieNames, getSession, origin, signInByForm, signInByMail, start } from './start.ts'
import { withoutTransactions } from './store-probe.ts'

const path = '/api/auth/callback/credentials'

for (const store of ['none', 'memory', 'sqlite'] as const) {
  for (const strategy of store === 'none' ? (['jwt'] as const) : (['jwt', 'database'] as const)) {
    t.test(`${store}, ${strategy}: the form of the sign-in page signs in`, async (t) => {
      const { browser } = await start(t, { store, session: { strategy } })
      const page = await browser.open('/api/auth/signin?callbackUrl=/me')
      const done = await browser.fill(page, path, { username: 'grace', password: 'lovelace' })
      t.same({ status: done.status, location: done.location }, { status: 302, location: `${origin}/me` })
      t.match(await getSession(browser), { user: { name: 'grace', email: 'grace@example.com' } })
    })

    t.test(`${store}, ${strategy}: a JSON body signs in`, async (t) => {
      const { browser } = await start(t, { store, session: { strategy } })
      const fields = { username: 'grace', password: 'lovelace', json: 'true', callbackUrl: '/me' }
      const done = await browser.submit(path, fields, { json: true })
      t.match({ status: done.status, body: done.json() }, { status: 200, body: { url: `${origin}/me` } })
      t.match(await getSession(browser), { user: { name: 'grace' } })
    })
  }
}

t.test('a wrong password is 401 CredentialsSignin, and the form comes back', async (t) => {
  const { browser } = await start(t)
  const wrong = await browser.submit(path, { username: 'grace', password: 'x', callbackUrl: '/me' })
  t.match(wrong.location, /^https:\/\/app\.test\/api\/auth\/signin\?error=CredentialsSignin&ref=/)
  t.notOk(browser.cookies.get(cookieNames.sessionToken))
  const page = await browser.follow(wrong)
  const right = await browser.fill(page, path, { username: 'grace', password: 'lovelace' })
  t.equal(right.status, 302)
  const json = await browser.submit(path, { username: 'grace', password: 'x', json: 'true' })
  t.equal(json.status, 401)
})

t.test('a refusal of the signIn callback is 403 AccessDenied', async (t) => {
  const { browser } = await start(t, { callbacks: { signIn: () => false } })
  const json = await browser.submit(path, { username: 'grace', password: 'lovelace', json: 'true' })
  t.match({ status: json.status, body: json.json() }, { status: 403, body: { url: /\/error\?error=AccessDenied/ } })
  t.notOk(browser.cookies.get(cookieNames.sessionToken))
})

t.test('authorize sees the fields of its form as texts, and the request', async (t) => {
  const requests: unknown[] = []
  const provider = credentials({
    credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
    authorize: (fields, request) => {
      requests.push({ ...fields }, request)
      return null
    }
  })
  const { browser } = await start(t, { providers: [provider] })
  await browser.submit(
    `${path}?tenant=blue`,
    { username: 'grace', extra: 'kept' },
    { headers: { 'x-device': 'phone' } }
  )
  const [fields, request] = requests
  t.match(fields, { username: 'grace', password: '', extra: 'kept' })
  t.match(request, {
    query: { tenant: 'blue' },
    body: { username: 'grace', extra: 'kept', csrfToken: /^[0-9a-f]{64}$/ },
    headers: { 'x-device': 'phone' },
    method: 'POST'
  })
})

t.test('a field that is not a string is an empty text, never an object', async (t) => {
  const requests: object[] = []
  const provider = credentials({
    credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
    authorize: (fields) => {
      requests.push({ ...fields })
      return null
    }
  })
  const { browser } = await start(t, { providers: [provider] })
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const values: readonly unknown[] = [{ $ne: null }, ['a', 'b'], 7, true, null, { toString: 'x' }]
  for (const value of values) {
    const body = JSON.stringify({ csrfToken, username: value, password: value, json: 'true' })
    const response = await browser.post(path, body, { 'content-type': 'application/json' })
    t.equal(response.status, 401)
    t.match(requests.at(-1), { username: '', password: '' })
  }
  const twice = await browser.post(path, `csrfToken=${csrfToken}&username=a&username=b&json=true`)
  t.equal(twice.status, 401)
  t.match(requests.at(-1), { username: '' })
})

t.test('what authorize returns is a user with an id, or a refusal', async (t) => {
  const results = [
    [null, 401],
    [undefined, 401],
    [false, 401],
    ['', 401],
    ['ada', 401],
    [{}, 401],
    [{ id: '' }, 401],
    [{ id: null }, 401],
    [{ id: Number.NaN }, 401],
    [{ id: {} }, 401],
    [{ id: 7, name: 'Ada' }, 200],
    [{ id: 'ada' }, 200]
  ] as const
  for (const [result, status] of results) {
    const provider = {
      ...credentials({ credentials: {}, authorize: () => null }),
      options: { authorize: () => result }
    }
    const { browser } = await start(t, { providers: [provider], store: 'none' })
    const response = await browser.submit(path, { json: 'true' })
    t.equal(response.status, status, JSON.stringify(result))
    t.equal((await getSession(browser)).user !== undefined, status === 200)
  }
})

t.test('database sessions: the user is the one with that id', async (t) => {
  const adapter = memoryAdapter()
  const stored = await adapter.createUser({ name: 'Grace Hopper', email: 'hopper@example.com', emailVerified: null })
  const provider = credentials({ credentials: {}, authorize: () => ({ id: stored.id, name: 'set by authorize' }) })
  const { browser } = await start(t, { adapter, providers: [provider], session: { strategy: 'database' } })
  await browser.submit(path, {})
  t.match(await getSession(browser), { user: { name: 'Grace Hopper', email: 'hopper@example.com' } })
  t.same(await adapter.getAccounts(stored.id), [])
})

t.test(
  'database sessions: a new user is created together with the account of that id, and reported once',
  async (t) => {
    const reported: object[] = []
    const events = { createUser: (payload: object) => void reported.push(payload) }
    const { browser, newBrowser, adapter, store } = await start(t, { session: { strategy: 'database' }, events })
    await signInByForm(browser)
    await signInByForm(newBrowser())
    t.match(reported, [{ user: { email: 'grace@example.com' } }])
    t.equal(reported.length, 1)
    const transactions = store.calls.filter(({ method }) => method === 'transact').map(({ args: [calls] }) => calls)
    t.match(transactions[0], [
      { method: 'requireUserVersion' },
      { method: 'createUser' },
      { method: 'linkAccount' },
      { method: 'createSession' }
    ])
    const key = { provider: 'credentials', providerAccountId: 'id-grace' }
    const user = await adapter?.getUserByAccount?.(key)
    t.match(user, { name: 'grace', email: 'grace@example.com', emailVerified: null })
  }
)

t.test('database sessions: an address that another user has is OAuthAccountNotLinked', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  await signInByMail(started, started.newBrowser(), 'grace@example.com')
  const response = await signInByForm(started.browser)
  t.match(response.location, /\/api\/auth\/signin\?error=OAuthAccountNotLinked/)
  t.same(await getSession(started.browser), {})
})

for (const store of ['memory', 'sqlite'] as const) {
  t.test(`${store}, database sessions: twenty first sign-ins at once are one user`, async (t) => {
    const { newBrowser, store: probe } = await start(t, { store, session: { strategy: 'database' }, rateLimit: false })
    const browsers = Array.from({ length: 20 }, newBrowser)
    const responses = await Promise.all(browsers.map((browser) => signInByForm(browser)))
    t.ok(responses.every(({ location }) => location === origin))
    const owners = probe.calls
      .filter(({ method }) => method === 'createSession')
      .map(({ args: [session] }) => (session as { readonly userId: string }).userId)
    t.same([owners.length, new Set(owners).size], [20, 1])
  })
}

t.test('a first sign-in that failed between user and account does not keep the person out', async (t) => {
  const adapter = withoutTransactions(memoryAdapter())
  const { browser, store } = await start(t, { adapter, session: { strategy: 'database' } })
  store.breakDown('linkAccount')
  t.match((await signInByForm(browser)).location, /\/api\/auth\/signin\?error=Callback/)
  store.restore()
  t.equal((await signInByForm(browser)).location, origin)
  t.match(await getSession(browser), { user: { email: 'grace@example.com' } })
})

t.test(
  'ten wrong passwords in a quarter of an hour are enough for one name, and right ones are not counted',
  async (t) => {
    const { browser, newBrowser } = await start(t)
    const owner = newBrowser()
    for (let count = 0; count < 15; count++) await signInByForm(owner)
    for (let count = 0; count < 10; count++) {
      const wrong = await browser.submit(path, { username: 'Grace ', password: `${count}`, json: 'true' })
      t.equal(wrong.status, 401)
    }
    const refused = await browser.submit(path, { username: 'grace', password: 'lovelace', json: 'true' })
    t.equal(refused.status, 429)
    t.match(refused.headers['retry-after'], /^\d+$/)
    t.equal((await signInByForm(browser, 'ada')).location, origin, 'another name is not locked out')
    t.equal((await signInByForm(owner)).location, origin, 'nor is a device that has signed in')
  }
)

t.test('parallel guesses are counted before they are checked', async (t) => {
  const { browser } = await start(t)
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const guess = () => browser.submit(path, { username: 'grace', password: 'x', json: 'true', csrfToken })
  const responses = await Promise.all(Array.from({ length: 30 }, guess))
  t.equal(responses.filter(({ status }) => status === 401).length, 10)
  t.equal(responses.filter(({ status }) => status === 429).length, 20)
})

t.test('rateLimit: false switches the limits off', async (t) => {
  const { browser } = await start(t, { rateLimit: false })
  for (let count = 0; count < 12; count++) await browser.submit(path, { username: 'grace', password: 'x' })
  t.equal((await signInByForm(browser)).location, origin)
})

t.test('a new session token at every sign-in, and the anti-forgery token with it', async (t) => {
  for (const strategy of ['jwt', 'database'] as const) {
    const { browser } = await start(t, { session: { strategy } })
    const { csrfToken: before } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    await signInByForm(browser)
    const first = browser.cookies.get(cookieNames.sessionToken)
    const { csrfToken: after } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    t.not(after, before)
    await signInByForm(browser)
    t.not(browser.cookies.get(cookieNames.sessionToken), first)
  }
})

t.test('a session cookie that was planted before sign-in is worth nothing after it (A51)', async (t) => {
  for (const strategy of ['jwt', 'database'] as const) {
    const { browser, newBrowser } = await start(t, { session: { strategy } })
    browser.cookies.set(cookieNames.sessionToken, 'planted', { secure: true, httpOnly: true })
    await signInByForm(browser)
    t.match(await getSession(browser), { user: { name: 'grace' } })
    const attacker = newBrowser()
    attacker.cookies.set(cookieNames.sessionToken, 'planted')
    t.same(await getSession(attacker), {})
  }
})
