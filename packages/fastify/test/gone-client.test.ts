import { once } from 'node:events'
import { connect } from 'node:net'
import { createRandom } from '@postern/testkit'
import t from 'tap'
import { fromAfar, origin, sessionOf, signInAtIssuer, signInByForm, start } from './start.ts'

t.test('clients that go away at any byte leave nothing behind, and nobody else waits', async (t) => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const { app, browser, store, log } = await start(t, {
    session: { strategy: 'database' },
    instances: 1,
    rateLimit: false
  })
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
  const bytesOf = createRandom(7)
  /** From 0 up to 1. */
  const random = (): number => (bytesOf(1)[0] ?? 0) / 256
  let whole = 0
  for (let index = 0; index < 200; index++) {
    const text = request(index)
    // Half of them send everything, and are gone while the answer is made.
    const bytes = index % 2 === 0 ? text.length : Math.floor(random() * text.length)
    if (bytes === text.length) whole += 1
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(text.slice(0, bytes))
    if (index % 4 === 0) await new Promise((resolve) => setTimeout(resolve, random() * 4))
    socket.destroy()
  }
  t.equal((await signInByForm(browser)).location, origin)
  t.match(await sessionOf(browser), { user: { name: 'grace' } })
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.same(unhandled, [])
  const sessions = store.count('createSession')
  t.ok(sessions > 1 && sessions <= whole + 1, `${sessions} of ${whole} whole requests were finished`)
  t.same(
    log.filter((line) => line.includes('"level":50') || line.includes('"level":60')),
    [],
    'nothing to be alarmed about'
  )
})

t.test('what a proxy delivers twice works once, and says so', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  const { newBrowser, mailbox, issuer, adapter } = started
  const browser = newBrowser()
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  const link = () => browser.open(mailbox.last().url, { headers: fromAfar })
  const answers = await Promise.all([link(), link()])
  const places = answers.map(({ location }) => location ?? '')
  t.equal(places.filter((place) => place === origin).length, 1)
  t.equal(places.filter((place) => /error=Verification/.test(place)).length, 1, 'it was used already')
  t.match(await sessionOf(browser), { user: { email: 'ada@example.com' } })

  const other = newBrowser()
  const begun = await other.submit('/api/auth/signin/demo', {})
  const callback = await issuer.authorize(begun.location ?? '', { sub: 'bob', email: 'bob@example.com' })
  t.equal((await other.open(callback, { headers: fromAfar })).location, origin)
  const again = await other.open(callback, { headers: fromAfar })
  t.not(again.location, origin)
  t.ok(again.status < 500)
  t.match(await sessionOf(other), { user: { email: 'bob@example.com' } }, 'the session of the first stays')
  t.equal((await signInAtIssuer(started, other, { sub: 'bob', email: 'bob@example.com' })).location, origin)
  const bob = await adapter?.getUserByEmail?.('bob@example.com')
  t.equal((await adapter?.getAccounts?.(bob?.id ?? ''))?.length, 1)

  const form = newBrowser()
  await form.open('/api/auth/csrf')
  const fields = { username: 'carol', password: 'lovelace' }
  const posts = await Promise.all([0, 1].map(() => form.submit('/api/auth/callback/credentials', fields)))
  t.same(
    posts.map(({ location }) => location),
    [origin, origin]
  )
  t.match(await sessionOf(form), { user: { name: 'carol' } })
})
