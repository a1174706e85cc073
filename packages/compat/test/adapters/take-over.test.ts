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
import { getRows, stores } from './stores.ts'

const cookie = '__Secure-next-auth.session-token'

t.test('a next-auth database keeps working: first with its adapter, then with Postern’s', async (t) => {
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
  const signIn = async (browser: ReturnType<typeof nextAuth.browser>): Promise<string | null> => {
    const response = await browser.submit('/api/auth/signin/demo', {})
    const reply = await browser.open(await issuer.authorize(response.location ?? ''), {
      headers: { 'sec-fetch-site': 'cross-site' }
    })
    return reply.location
  }

  const nextAuth = await startNextAuth(t, Object(options(store.adapter)))
  const [ada, grace] = [createCookieJar(), createCookieJar()]
  t.equal(await signIn(nextAuth.browser(ada)), origin)
  await nextAuth.browser(grace).submit('/api/auth/signin/email', { email: 'grace@mail.test' })
  await nextAuth.browser(grace).open(links.at(-1) ?? '')
  const users = getRows(store, 'user')
  t.equal(users.length, 2)
  const cookiesBefore = [ada.get(cookie), grace.get(cookie)]

  const runtime = { fetch: (url: string, init?: RequestInit) => issuer.fetch(url, init) }
  const own = sqliteAdapter({ file })
  t.teardown(() => own.close?.())
  // Plain rows while next-auth also runs; afterwards each is hashed at its first use.
  for (const [title, adapter, storage] of [
    ['their adapter', store.adapter, 'plain'],
    ['Postern’s adapter', own, 'both']
  ] as const) {
    const postern = await startPostern(t, { ...options(adapter), session: { storage }, runtime })
    t.match(
      await postern.browser(ada).json('/api/auth/session'),
      { user: { email: 'ada@example.com' } },
      `${title}: Ada stays`
    )
    t.match(
      await postern.browser(grace).json('/api/auth/session'),
      { user: { email: 'grace@mail.test' } },
      `${title}: so does Grace`
    )
    t.same([ada.get(cookie), grace.get(cookie)], cookiesBefore, 'with the cookies that they had')
    if (storage === 'plain') {
      t.match(
        await nextAuth.browser(ada).json('/api/auth/session'),
        { user: { email: 'ada@example.com' } },
        'and in next-auth'
      )
    }

    const elsewhere = createCookieJar()
    t.equal(await signIn(postern.browser(elsewhere)), origin, `${title}: Ada signs in on another machine`)
    t.match(await postern.browser(elsewhere).json('/api/auth/session'), { user: { email: 'ada@example.com' } })
    t.equal(getRows(store, 'user').length, 2, 'as the same user')
    if (storage === 'both') {
      const held = [ada, grace, elsewhere].map((jar) => jar.get(cookie))
      t.notOk(
        getRows(store, 'session').some(({ sessionToken }) => held.includes(String(sessionToken))),
        'and no row is a cookie, neither a new one nor an old one that was used'
      )
    }

    const post = createCookieJar()
    await postern.browser(post).submit('/api/auth/signin/email', { email: 'grace@mail.test' })
    t.equal((await postern.browser(post).open(links.at(-1) ?? '')).location, origin)
    t.equal(getRows(store, 'user').length, 2)
  }
  t.same(
    getRows(store, 'user').map(({ id, email }) => ({ id, email })),
    users.map(({ id, email }) => ({ id, email })),
    'no user has become another user'
  )
})
