import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { PosternOptions } from '@postern/core'
import { createCookieJar } from '@postern/testkit'
import t from 'tap'
import { startNextAuth } from '../next-auth.ts'
import { origin, startPostern } from '../postern.ts'
import { serve } from '../side-by-side/pair.ts'
import { rowsOf, stores } from './stores.ts'

const cookie = '__Secure-next-auth.session-token'

t.test('a database that next-auth filled goes on: first with its adapter, then with ours', async (t) => {
  const file = join(tmpdir(), `postern-take-over-${process.pid}.db`)
  t.teardown(() => rmSync(file, { force: true }))
  const open = stores['@auth/drizzle-adapter']
  const issuer = await serve(t)
  const store = open?.(t, file)
  if (!store) throw new TypeError('expected the adapter')
  const links: string[] = []
  const options = (adapter: NonNullable<PosternOptions['adapter']>) => ({
    adapter,
    providers: [
      {
        id: 'demo',
        name: 'Demo',
        type: 'oauth' as const,
        wellKnown: `${issuer.issuer}/.well-known/openid-configuration`,
        clientId: issuer.clientId,
        clientSecret: issuer.clientSecret ?? '',
        authorization: { params: { scope: 'openid email profile' } },
        idToken: true,
        checks: ['pkce' as const, 'state' as const],
        profile: ({ sub, name, email }: Record<string, string>) => ({ id: sub ?? '', name, email })
      },
      {
        id: 'email',
        name: 'Email',
        type: 'email' as const,
        server: 'smtp://mail.test',
        from: 'a@app.test',
        confirm: 'never' as const,
        sendVerificationRequest: async ({ url }: { url: string }) => void links.push(url)
      }
    ]
  })
  const signIn = async (browser: ReturnType<typeof theirs.browser>): Promise<string | null> => {
    const begun = await browser.submit('/api/auth/signin/demo', {})
    const answer = await browser.open(await issuer.authorize(begun.location ?? ''), {
      headers: { 'sec-fetch-site': 'cross-site' }
    })
    return answer.location
  }

  const theirs = await startNextAuth(t, Object(options(store.adapter)))
  const [ada, grace] = [createCookieJar(), createCookieJar()]
  t.equal(await signIn(theirs.browser(ada)), origin)
  await theirs.browser(grace).submit('/api/auth/signin/email', { email: 'grace@mail.test' })
  await theirs.browser(grace).open(links.at(-1) ?? '')
  const users = rowsOf(store, 'user')
  t.equal(users.length, 2)
  const known = [ada.get(cookie), grace.get(cookie)]

  const runtime = { fetch: (url: string, init?: RequestInit) => issuer.fetch(url, init) }
  const own = sqliteAdapter({ file })
  t.teardown(() => own.close?.())
  // Plain rows as long as next-auth runs beside us; afterwards each is kept hashed from its first use on.
  for (const [what, adapter, storage] of [
    ['their adapter', store.adapter, 'plain'],
    ['our adapter', own, 'both']
  ] as const) {
    const ours = await startPostern(t, { ...options(adapter), session: { storage }, runtime })
    t.match(
      await ours.browser(ada).json('/api/auth/session'),
      { user: { email: 'ada@example.com' } },
      `${what}: Ada stays`
    )
    t.match(
      await ours.browser(grace).json('/api/auth/session'),
      { user: { email: 'grace@mail.test' } },
      `${what}: so does Grace`
    )
    t.same([ada.get(cookie), grace.get(cookie)], known, 'with the cookies that they had')
    if (storage === 'plain') {
      t.match(
        await theirs.browser(ada).json('/api/auth/session'),
        { user: { email: 'ada@example.com' } },
        'next-auth beside it too'
      )
    }

    const elsewhere = createCookieJar()
    t.equal(await signIn(ours.browser(elsewhere)), origin, `${what}: Ada signs in on another machine`)
    t.match(await ours.browser(elsewhere).json('/api/auth/session'), { user: { email: 'ada@example.com' } })
    t.equal(rowsOf(store, 'user').length, 2, 'as the same user')
    if (storage === 'both') {
      const held = [ada, grace, elsewhere].map((jar) => jar.get(cookie))
      t.notOk(
        rowsOf(store, 'session').some(({ sessionToken }) => held.includes(String(sessionToken))),
        'and no row is a cookie, neither a new one nor an old one that was used'
      )
    }

    const post = createCookieJar()
    await ours.browser(post).submit('/api/auth/signin/email', { email: 'grace@mail.test' })
    t.equal((await ours.browser(post).open(links.at(-1) ?? '')).location, origin)
    t.equal(rowsOf(store, 'user').length, 2)
  }
  t.same(
    rowsOf(store, 'user').map(({ id, email }) => ({ id, email })),
    users.map(({ id, email }) => ({ id, email })),
    'nobody has become somebody else'
  )
})
