import t from 'tap'
import { Client } from '../src/client.ts'
import { configure, getSession } from '../src/index.ts'
import { ada, catchErrors, createServer } from './server.ts'

const names = ['NEXTAUTH_URL_INTERNAL', 'AUTH_URL', 'NEXTAUTH_URL'] as const

t.test('on a server addresses are absolute', async (t) => {
  const cases: readonly [environment: Partial<Record<(typeof names)[number], string>>, address: string][] = [
    [{}, 'http://localhost:3000/api/auth/session'],
    [{ NEXTAUTH_URL: 'https://app.test' }, 'https://app.test/api/auth/session'],
    [{ NEXTAUTH_URL: 'https://app.test/' }, 'https://app.test/api/auth/session'],
    [{ NEXTAUTH_URL: 'app.test' }, 'https://app.test/api/auth/session'],
    [{ NEXTAUTH_URL: 'https://app.test/id/auth/' }, 'https://app.test/id/auth/session'],
    [{ NEXTAUTH_URL: 'https://old.test', AUTH_URL: 'https://app.test' }, 'https://app.test/api/auth/session'],
    [
      { AUTH_URL: 'https://app.test', NEXTAUTH_URL_INTERNAL: 'http://10.0.0.1:8080' },
      'http://10.0.0.1:8080/api/auth/session'
    ]
  ]
  for (const [environment, address] of cases) {
    t.intercept(process, 'env', {
      value: { ...process.env, ...Object.fromEntries(names.map((name) => [name, undefined])), ...environment }
    })
    const server = createServer()
    await new Client(server.send).getSession()
    t.equal(server.requests[0]?.url, address)
  }
})

t.test('on a server the cookies of the request identify the session', async (t) => {
  const req = { headers: { cookie: 'next-auth.session-token=x' } }
  const server = createServer(ada)
  const client = new Client(server.send)
  t.same(await client.getSession({ req }), ada)
  await client.getSession({ ctx: { req } })
  await client.getCsrfToken({ req })
  await client.getSession({ req: { headers: {} } })
  t.same(
    server.requests.map(({ method, headers }) => [method, headers.get('cookie')]),
    [
      ['GET', 'next-auth.session-token=x'],
      ['GET', 'next-auth.session-token=x'],
      ['GET', 'next-auth.session-token=x'],
      ['GET', null]
    ]
  )
})

t.test('on a server a request with a body is still a read', async (t) => {
  const server = createServer(ada)
  const req = { headers: { cookie: 'a=b' }, body: { name: 'Grace' } }
  await new Client(server.send).getSession({ req })
  t.match(server.requests, [{ method: 'GET', body: '' }])
})

t.test('on a server no two visitors share a read', async (t) => {
  const server = createServer(ada)
  const client = new Client(server.send)
  const visitors = ['a=1', 'a=2'].map((cookie) => client.getSession({ req: { headers: { cookie } } }))
  await Promise.all(visitors)
  t.same(
    server.requests.map(({ headers }) => headers.get('cookie')),
    ['a=1', 'a=2']
  )
})

t.test('on a server a failure is null, and a line on the console', async (t) => {
  const errors = catchErrors(t)
  const server = createServer()
  server.results.set('session', () => Response.json({}, { status: 503 }))
  t.equal(await new Client(server.send).getSession(), null)
  t.equal(errors.length, 1)
})

t.test('the exported functions use fetch, and the place that `configure` named', async (t) => {
  const server = createServer(ada)
  t.intercept(globalThis, 'fetch', { value: server.send })
  configure({ baseUrl: 'https://app.test/auth' })
  t.same(await getSession(), ada)
  configure({ basePath: '/id' })
  await getSession()
  t.same(server.requested(), ['GET https://app.test/auth/session', 'GET https://app.test/id/session'])
})
