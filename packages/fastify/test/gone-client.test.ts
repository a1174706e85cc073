import { once } from 'node:events'
import { connect } from 'node:net'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { createRandom } from '@postern/testkit'
import { rowsBySql } from '@postern/testkit/consistency-checker'
import { times } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { getPerson, type Judged, judged } from './judged.ts'
import { getSession, origin, type Started, start } from './start.ts'

/** An application on SQLite, and everyone's browsers. */
async function open(t: Test): Promise<Started & Judged> {
  const database = new Database(':memory:')
  t.teardown(() => database.close())
  const options = { session: { strategy: 'database' }, instances: 1, rateLimit: false } as const
  const started = await start(t, { ...options, adapter: sqliteAdapter({ db: database }) })
  const rows = () => rowsBySql((sql) => database.prepare<[], unknown>(sql).all())
  return { ...started, ...judged(started, rows) }
}

t.test('clients that go away at any byte leave nothing behind, and no other user waits', async (t) => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const { app, store, log, ledger, getBrowser, signIn, settle } = await open(t)
  const browser = getBrowser('grace')
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const cookie = browser.cookies.header({
    url: new URL(`${origin}/api/auth/csrf`),
    method: 'POST',
    site: 'same-origin'
  })
  const request = (index: number): string => {
    const body = new URLSearchParams({ csrfToken, username: `person${index}`, password: 'lovelace' }).toString()
    const head = `POST /api/auth/callback/credentials HTTP/1.1\r\nHost: app.test\r\nCookie: ${cookie}\r\n`
    return `${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  const getBytes = createRandom(7)
  /** From 0 up to 1. */
  const random = (): number => (getBytes(1)[0] ?? 0) / 256
  let complete = 0
  for (let index = 0; index < times(60, 200); index++) {
    const text = request(index)
    // Half of them send everything, and no longer exist while the response is made.
    const bytes = index % 2 === 0 ? text.length : Math.floor(random() * text.length)
    if (bytes === text.length) {
      complete += 1
      ledger.note(getPerson(`person${index}`), { result: 'cut' })
    }
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(text.slice(0, bytes))
    if (index % 4 === 0) await new Promise((resolve) => setTimeout(resolve, random() * 4))
    socket.destroy()
  }
  t.equal((await signIn(browser, 'grace', 'the form')).location, origin)
  t.match(await getSession(browser), { user: { name: 'grace' } })
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.same(unhandled, [])
  const sessions = store.count('createSession')
  t.ok(sessions > 1 && sessions <= complete + 1, `${sessions} of ${complete} whole requests were finished`)
  t.same(
    log.filter((line) => line.includes('"level":50') || line.includes('"level":60')),
    [],
    'nothing to be alarmed about'
  )
  await settle(t, 'clients that go away')
})

t.test('a request that a proxy delivers twice works once, and reports it', async (t) => {
  const { getBrowser, begin, signIn, settle } = await open(t)
  const browser = getBrowser('ada')
  const link = await begin(browser, 'ada', 'the link')
  const results = await Promise.all([link(), link()])
  const places = results.map(({ location }) => location ?? '')
  t.equal(places.filter((where) => where === origin).length, 1)
  t.equal(places.filter((where) => /error=Verification/.test(where)).length, 1, 'it was used already')
  t.match(await getSession(browser), { user: { email: 'ada@example.com' } })

  const other = getBrowser('bob')
  const callback = await begin(other, 'bob', 'the provider')
  t.equal((await callback()).location, origin)
  const again = await callback()
  t.not(again.location, origin)
  t.ok(again.status < 500)
  t.match(await getSession(other), { user: { email: 'bob@example.com' } }, 'the session of the first remains')
  t.equal((await signIn(other, 'bob', 'the provider')).location, origin)

  const form = getBrowser('carol')
  const post = await begin(form, 'carol', 'the form')
  const posts = await Promise.all([post(), post()])
  t.same(
    posts.map(({ location }) => location),
    [origin, origin]
  )
  t.match(await getSession(form), { user: { name: 'carol' } })
  await settle(t, 'requests delivered twice', ['error Verification', 'error 400'])
})
