import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { cookieNames, type Started, signInAtIssuer, start } from './start.ts'

const turns = turnsOf(['jwt', 'database'] as const, t)
const { sessionToken: name } = cookieNames

/** A request with session cookies in this order, as after a change of `domain`. */
async function request(
  { app }: Started,
  values: readonly (string | null)[],
  path: string = '/api/auth/session'
): Promise<{ readonly user: string | null; readonly setsSession: boolean }> {
  const cookie = values.map((value) => `${name}=${value}`).join('; ')
  const { headers, body } = await app.inject({ url: path, headers: { cookie } })
  const { user }: { user?: { email: string } } = JSON.parse(body)
  return { user: user?.email ?? null, setsSession: JSON.stringify(headers['set-cookie'] ?? '').includes(name) }
}

const people = { ada: 'ada@example.com', bob: 'bob@example.com' } as const

async function signedIn(started: Started, person: keyof typeof people): Promise<string> {
  const browser = started.newBrowser()
  await signInAtIssuer(started, browser, { sub: person, name: person, email: people[person] })
  return browser.cookies.get(name) ?? ''
}

/** A session that has ended: its user has signed out. */
async function endedSession(started: Started, person: keyof typeof people = 'bob'): Promise<string> {
  const browser = started.newBrowser()
  await signInAtIssuer(started, browser, { sub: person, name: person, email: people[person] })
  const value = browser.cookies.get(name) ?? ''
  await browser.submit('/api/auth/signout', {})
  return value
}

/** Signs out with session cookies in this order. @returns The status. */
async function signOut({ app }: Started, values: readonly string[]): Promise<number> {
  const [first = ''] = values
  const page = await app.inject({ url: '/api/auth/csrf', headers: { cookie: `${name}=${first}` } })
  const { csrfToken }: { csrfToken: string } = JSON.parse(page.body)
  const [csrf = ''] = String(page.headers['set-cookie']).split(';', 1)
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/api/auth/signout',
    headers: {
      cookie: [csrf, ...values.map((value) => `${name}=${value}`)].join('; '),
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded'
    },
    payload: `${new URLSearchParams({ csrfToken })}`
  })
  return statusCode
}

t.test('signing out ends each session of the cookies, also if a listener changes the token of the first', async (t) => {
  const signOutListener = ({ token }: { readonly token?: object | null }) => {
    for (const claim of ['session_id', 'jti']) Reflect.deleteProperty(token ?? {}, claim)
  }
  const started = await start(t, { session: { strategy: 'jwt' }, events: { signOut: signOutListener } })
  const values = [await signedIn(started, 'ada'), await signedIn(started, 'bob')]
  t.ok((await signOut(started, values)) < 400)
  for (const value of values) t.equal((await request(started, [value])).user, null)
})

for (const { value: strategy, test } of turns()) {
  const prepare = (t: Test): Promise<Started> => start(t, { session: { strategy } })

  test(`${strategy}: the first live one of three session cookies counts, and none is cleared`, async (t) => {
    const started = await prepare(t)
    const [ada, bob, ended] = [
      await signedIn(started, 'ada'),
      await signedIn(started, 'bob'),
      await endedSession(started)
    ]
    const cases: readonly (readonly [values: readonly string[], user: string | null])[] = [
      [[ada], people.ada],
      [[ended, ada], people.ada],
      [['', ada], people.ada],
      [['not a token', ended, ada], people.ada],
      [['not a token', ended, 'p1.x', ada], null],
      [[ada, bob], people.ada],
      [[ended, bob, ada], people.bob],
      [[ada, ended], people.ada],
      [[ended, 'not a token'], null]
    ]
    for (const [values, user] of cases) t.same(await request(started, values), { user, setsSession: false })
  })

  test(`${strategy}: orders of cookies that browsers have sent`, async (t) => {
    const started = await prepare(t)
    const [ada, again, ended] = [
      await signedIn(started, 'ada'),
      await signedIn(started, 'ada'),
      await endedSession(started, 'ada')
    ]
    const cases: readonly (readonly [title: string, values: readonly string[]])[] = [
      [
        'the longer path first, from another application (spring-projects/spring-session#275)',
        ['eba15ac9-3fa6-40cb-8666-20bcc4b6bf22', ada]
      ],
      [
        'the older one first, of the host before a domain was set (lobu-ai/lobu#2578, openlinker-project/openlinker#2000)',
        [ended, ada]
      ],
      ['two live ones, of a host and of its domain (nextauthjs/next-auth#11570)', [ada, again]]
    ]
    for (const [title, values] of cases)
      t.same(await request(started, values), { user: people.ada, setsSession: false }, title)
  })

  test(`${strategy}: an expired session in front hides no live one`, async (t) => {
    const started = await prepare(t)
    const expired = await signedIn(started, 'bob')
    started.clock.advance(31 * 24 * 60 * 60)
    const ada = await signedIn(started, 'ada')
    t.same(await request(started, [expired, ada]), { user: people.ada, setsSession: false })
    t.same(await request(started, [expired, ada]), { user: people.ada, setsSession: false })
  })

  test(`${strategy}: a single cookie that is none is cleared as before`, async (t) => {
    const started = await prepare(t)
    t.same(await request(started, ['not a token']), { user: null, setsSession: true })
  })

  test(`${strategy}: signing out ends each of them`, async (t) => {
    const started = await prepare(t)
    // The second of one person: the host and its domain each have a cookie (nextauthjs/next-auth#11570).
    for (const person of ['bob', 'ada'] as const) {
      const [first, second] = [await signedIn(started, 'ada'), await signedIn(started, person)]
      t.ok((await signOut(started, [first, second])) < 400)
      for (const value of [first, second]) t.equal((await request(started, [value])).user, null)
    }
  })
}
