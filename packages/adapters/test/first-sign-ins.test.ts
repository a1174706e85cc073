import { type Adapter, createPostern, type Postern } from '@postern/core'
import { createBrowser, createIssuer, fromFetch } from '@postern/testkit'
import { times } from '@postern/testkit/long'
import type { Test } from 'tap'
import { mysqlAdapter } from '../src/drizzle/mysql/index.ts'
import { postgresAdapter } from '../src/drizzle/postgres/index.ts'
import { createTestDatabase as newMysqlPlace } from './drizzle/mysql/databases.ts'
import { createTestDatabase as newPostgresPlace } from './drizzle/postgres/databases.ts'
import { mysql, postgres, withServer } from './servers.ts'

const origin = 'https://app.test'
const visitors = times(8, 20)

/** Visitors who are one person and come for the first time, at the same moment, to two instances. */
async function connectAll(t: Test, open: () => Adapter): Promise<void> {
  const issuer = createIssuer()
  let created = 0
  const log: string[] = []
  const note = (code: string, metadata?: unknown): void => void log.push(`${code} ${JSON.stringify(metadata)}`)
  const adapters = [open(), open()]
  t.teardown(() => Promise.all(adapters.map(({ close }) => close?.())))
  const instances = adapters.map((adapter) =>
    createPostern({
      url: origin,
      secret: 'a secret of the tests, 32 characters or more',
      providers: [
        {
          ...{ id: 'demo', name: 'Demo', type: 'oidc', issuer: issuer.issuer },
          ...{ clientId: issuer.clientId, clientSecret: issuer.clientSecret ?? undefined },
          hooks: { isEmailAuthority: () => true }
        }
      ],
      adapter,
      session: { strategy: 'database' },
      rateLimit: false,
      logger: { error: note, warn: note, debug: () => undefined },
      events: {
        createUser: () => {
          created += 1
        }
      },
      runtime: { fetch: (url, init) => issuer.fetch(url, init) }
    })
  )
  const browsers = Array.from({ length: visitors }, (_, index) => {
    const handle: Postern['fetch'] = instances[index % 2]?.fetch ?? (() => Promise.reject(new Error('no instance')))
    return createBrowser({ origin, send: fromFetch(handle) })
  })
  const addresses = await Promise.all(
    browsers.map(async (browser) => {
      const { location } = await browser.submit('/api/auth/signin/demo', { link: 'true' })
      return issuer.authorize(location ?? '')
    })
  )
  const headers = { 'sec-fetch-site': 'cross-site' }
  const responses = await Promise.all(
    browsers.map((browser, index) => browser.open(addresses[index] ?? '', { headers }))
  )
  t.strictSame([...new Set(responses.map(({ location }) => location))], [origin], log.join('\n'))
  for (const browser of browsers) {
    t.match(await browser.json('/api/auth/session'), { user: { email: 'ada@example.com' } })
  }
  const [adapter] = adapters
  const user = await adapter?.getUserByEmail?.('ada@example.com')
  t.equal((await adapter?.listSessions?.(user?.id ?? ''))?.length, visitors)
  t.equal((await adapter?.getAccounts?.(user?.id ?? ''))?.length, 1)
  t.equal(created, 1, 'returned once')
}

const title = 'first sign-ins at the same moment are one user with a session each'

await withServer(postgres, async (t) => {
  await t.test(title, async (t) => {
    const { url, raw } = await newPostgresPlace(t)
    await connectAll(t, () => postgresAdapter({ url, max: 4 }))
    const { rows } = await raw.query('select count(*) from "user"')
    t.strictSame(rows, [{ count: '1' }])
  })
})

await withServer(mysql, async (t) => {
  await t.test(title, async (t) => {
    const { url, raw } = await newMysqlPlace(t)
    await connectAll(t, () => mysqlAdapter({ url, max: 4 }))
    const [rows] = await raw.query('select count(*) as count from user')
    t.strictSame(rows, [{ count: 1 }])
  })
})
