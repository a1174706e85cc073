import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLong, some } from '@postern/testkit/long'
import { getSession, origin, signInByForm, start } from '../start.ts'
import { browserAt } from '../visitor.ts'
import { someStrategies } from './linking-setup.ts'
import type { Replay } from './replay.ts'

/** Sends a request line as it is over a real connection, which `inject` would tidy up. */
function ask(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<{ status: number; headers: Readonly<Record<string, unknown>> }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', path, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
    })
    request.on('error', reject)
    request.end()
  })
}

const wrong = (name: string) => ({ username: name, password: 'wrong' })

/** The mails of one client: the default in the long run, less in `npm test`. */
const maxMails = isLong ? 20 : 5
const mailPerClient = { points: maxMails, seconds: 3600 }

export const requests: readonly Replay[] = [
  [
    'A25',
    'a field of the body or the query sets the user',
    async (t) => {
      for (const strategy of someStrategies()) {
        const { browser, newBrowser, adapter } = await start(t, { session: { strategy } })
        const extra = {
          userId: '1',
          id: '1',
          sub: '1',
          emailVerified: 'true',
          role: 'admin',
          __proto__x: '1',
          'user[id]': '1'
        }
        const victim = newBrowser()
        await signInByForm(victim, 'ada')
        const data = {
          sub: 'id-ada',
          userId: 'id-ada',
          email: 'ada@example.com',
          name: 'ada',
          user: { email: 'ada@example.com' }
        }
        for (const path of ['session', 'signout', 'signin/email', 'providers']) {
          await newBrowser().submit(`/api/auth/${path}?${new URLSearchParams(extra)}`, { ...extra })
        }
        const stranger = newBrowser()
        const { csrfToken } = await stranger.json<{ csrfToken: string }>('/api/auth/csrf')
        const body = JSON.stringify({ csrfToken, data, ...extra }).replace(
          '{',
          '{"__proto__":{"isAdmin":true,"csrfToken":"x"},'
        )
        await stranger.post('/api/auth/session', body, { 'content-type': 'application/json' })
        t.same(await getSession(stranger), {}, 'no user is signed in by a body')
        t.equal(({} as { isAdmin?: boolean }).isAdmin, undefined)
        await signInByForm(browser, 'grace')
        const own = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
        await browser.post('/api/auth/session', JSON.stringify({ ...own, data }), {
          'content-type': 'application/json'
        })
        t.match(
          await getSession(browser),
          { user: { name: 'grace', email: 'grace@example.com' } },
          'and an update changes no one'
        )
        await browser.submit('/api/auth/callback/credentials', {
          ...extra,
          username: 'grace',
          password: 'lovelace',
          email: 'ada@example.com'
        })
        t.match(await getSession(browser), { user: { email: 'grace@example.com' } })
        t.notOk((await adapter?.getUserByEmail?.('grace@example.com'))?.emailVerified)
      }
    }
  ],
  [
    'A27',
    'the first request sets the origin of the application',
    async (t) => {
      const { app, browser, mailbox } = await start(t)
      await app.inject({ url: '/api/auth/signin', headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' } })
      await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
      t.ok(mailbox.last().url.startsWith(`${origin}/`))
      const providers = await browser.json<Record<string, { callbackUrl: string }>>('/api/auth/providers')
      t.ok(Object.values(providers).every(({ callbackUrl }) => callbackUrl.startsWith(`${origin}/`)))
    }
  ],
  [
    'A28',
    'a path in another spelling reaches the form and not the limit',
    async (t) => {
      const { browser } = await start(t)
      const spellings = [
        '/api/auth/callback/credentials',
        '//api/auth/callback/credentials',
        '/api//auth/callback/credentials',
        '/api/auth/./callback/credentials',
        '/api/auth/callback/../callback/credentials',
        '/api/auth/callback/credentials/',
        '/api/auth/callback%2fcredentials',
        '/api/auth/callback/credentials;x',
        '/api/auth/callback/%63redentials',
        '/API/auth/callback/credentials',
        '/api/auth/callback/Credentials',
        '/api/auth/callback/credentials?x'
      ]
      let tries = 0
      for (let round = 0; round < 3; round++) {
        for (const path of spellings) {
          const response = await browser.submit(origin + path, wrong('ada'))
          if (response.location?.includes('CredentialsSignin')) tries += 1
        }
      }
      t.equal(tries, 10, 'ten wrong tries, in whatever spelling')
    }
  ],
  [
    'A29',
    'every address of one subscriber has a separate limit',
    async (t) => {
      const { app, clock } = await start(t, { rateLimit: { mailPerClient } })
      const requested = async (address: string, count: number): Promise<number> => {
        const visitor = browserAt(app, clock, address)
        const response = await visitor.submit('/api/auth/signin/email', {
          email: `person-${count}-${address.length}@example.com`
        })
        return response.status
      }
      const sixes = []
      const visits = isLong ? 200 : maxMails + 15
      for (let count = 0; count < visits; count++)
        sixes.push(await requested(`2001:db8:1:2:${count.toString(16)}::${count + 1}`, count))
      t.equal(sixes.filter((status) => status === 302).length, maxMails, 'one /64 is one client')
      t.equal(sixes.filter((status) => status === 429).length, visits - maxMails)
      t.equal(await requested('2001:db8:1:3::1', 1), 302, 'another /64 is another')
      const fours = []
      for (let count = 0; count < maxMails + 10; count++)
        fours.push(await requested(count % 2 === 0 ? '8.8.4.4' : '::ffff:8.8.4.4', count + 1000))
      t.equal(fours.filter((status) => status === 302).length, maxMails, 'IPv4 is the same in either spelling')
    }
  ],
  [
    'A59',
    'a content type that needs no leave of the browser carries a form past the check',
    async (t) => {
      const { browser } = await start(t, { session: { strategy: 'database' } })
      await signInByForm(browser)
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      const types = [
        'text/plain',
        'application/json ;',
        '',
        'application/x-www-form-urlencoded; x',
        'multipart/form-data; boundary=x',
        'application/json',
        'application/jsonp',
        'text/html',
        '*/*'
      ]
      for (const type of types) {
        for (const body of [`csrfToken=${csrfToken}`, JSON.stringify({ csrfToken })]) {
          const response = await browser.post('/api/auth/signout', body, {
            'content-type': type,
            'sec-fetch-site': 'cross-site',
            origin: 'https://evil.test'
          })
          t.ok(
            response.status === 415 || response.status === 400 || response.location?.includes('csrf=true'),
            `${type}: ${response.status}`
          )
        }
      }
      t.match(await getSession(browser), { user: { name: 'grace' } }, 'still signed in')
    }
  ],
  [
    'A60',
    'a content type that brings the server down',
    async (t) => {
      const { browser } = await start(t)
      const types = [
        'a'.repeat(8000),
        ';'.repeat(2000),
        'application/',
        '/json',
        'application/json; charset=\u00ff',
        'application/json;;;=',
        ' ',
        '\t',
        ',',
        'a/b/c',
        '"',
        'application/x-www-form-urlencoded; charset="',
        '__proto__'
      ]
      for (const type of types) {
        const response = await browser.post('/api/auth/signout', 'a=b', { 'content-type': type })
        t.ok(response.status < 500, `${JSON.stringify(type.slice(0, 20))}: ${response.status}`)
      }
      t.equal((await browser.open('/api/auth/signin')).status, 200, 'and the next request is answered')
    }
  ],
  [
    'A61',
    'fields that are not texts reach a handler that expects texts',
    async (t) => {
      const targets = ['signin/email', 'callback/credentials', 'callback/email', 'signin/demo', 'session']
      const { browser, mailbox } = await start(t)
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      const types = [
        'application/json',
        'Application/JSON',
        'application/json\t',
        ' application/json',
        'application/json; charset=utf-8',
        'application/json garbage'
      ]
      const values = [{ a: 1 }, ['ada@example.com'], 1, true, null, [[['ada@example.com']]]]
      const cases = types.flatMap((type) => values.flatMap((value) => targets.map((path) => ({ type, value, path }))))
      for (const { type, value, path } of some(cases, (one) => [one.type, JSON.stringify(one.value), one.path])) {
        const fields = {
          csrfToken,
          email: value,
          username: value,
          password: value,
          callbackUrl: value,
          token: value,
          code: value
        }
        const response = await browser.post(`/api/auth/${path}`, JSON.stringify(fields), { 'content-type': type })
        if (response.status >= 500) t.fail(`${path} with ${type} and ${JSON.stringify(value)}: ${response.status}`)
      }
      t.pass()
      t.equal(mailbox.mails.length, 0)
      t.same(await getSession(browser), {})
    }
  ],
  [
    'A62',
    'headers of a proxy count although there is none',
    async (t) => {
      const { browser, app, mailbox } = await start(t)
      const headers = {
        'x-forwarded-host': 'evil.test',
        'x-forwarded-proto': 'http',
        'x-forwarded-for': '1.2.3.4',
        forwarded: 'host=evil.test'
      }
      const page = await browser.open('/api/auth/csrf', { headers })
      t.ok(
        page.setCookies.every(({ secure }) => secure),
        'cookies stay secure'
      )
      await browser.submit(
        '/api/auth/signin/email',
        { email: 'ada@example.com', callbackUrl: 'https://evil.test/' },
        { headers }
      )
      t.notMatch(mailbox.last().text, 'evil.test')
      const guarded = await app.inject({ url: '/me', headers: { accept: 'text/html', host: 'evil.test', ...headers } })
      t.match(
        guarded.headers['location'],
        new RegExp(`^${origin}/api/auth/signin\\?callbackUrl=${encodeURIComponent(origin)}`)
      )
    }
  ],
  [
    'A63',
    'a made-up X-Forwarded-For is a new client each time',
    async (t) => {
      for (const [trustProxy, peer, limit] of [
        [false, '8.8.8.8', maxMails],
        [['10.0.0.1'], '8.8.8.8', maxMails],
        [['10.0.0.1'], '::ffff:8.8.8.8', maxMails]
      ] as const) {
        const { app, clock } = await start(t, {
          rateLimit: { mailPerClient },
          server: { trustProxy: trustProxy === false ? false : [...trustProxy] }
        })
        const visitor = browserAt(app, clock, peer)
        let sent = 0
        for (let count = 0; count < 2 * maxMails; count++) {
          const headers = { 'x-forwarded-for': `1.2.3.${count}, 10.0.0.1`, 'x-real-ip': `1.2.3.${count}` }
          const response = await visitor.submit(
            '/api/auth/signin/email',
            { email: `p${count}@example.com` },
            { headers }
          )
          if (response.status === 302) sent += 1
        }
        t.equal(sent, limit, `trustProxy ${JSON.stringify(trustProxy)}, from ${peer}`)
      }
      const { app, clock } = await start(t, { rateLimit: { mailPerClient }, server: { trustProxy: ['10.0.0.1'] } })
      const proxy = browserAt(app, clock, '10.0.0.1')
      const statuses = []
      for (let count = 0; count < 2 * maxMails; count++) {
        const headers = { 'x-forwarded-for': `9.9.9.${count}, 1.2.3.4` }
        statuses.push(
          (await proxy.submit('/api/auth/signin/email', { email: `q${count}@example.com` }, { headers })).status
        )
      }
      t.equal(
        statuses.filter((status) => status === 302).length,
        maxMails,
        'behind a proxy the nearest address counts, not the leftmost'
      )
    }
  ],
  [
    'A64',
    'a guarded route is reached in another spelling of its path',
    async (t) => {
      const { app } = await start(t)
      await app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.server.address() as AddressInfo
      for (const path of [
        '/me',
        '//me',
        '/me;y',
        '/%6De',
        '/me/',
        '/./me',
        '/x/../me',
        '/me?x',
        '/ME',
        'http://app.test/me',
        '/me%00',
        '/me%2f'
      ]) {
        const { status } = await ask(port, path, { host: 'app.test' })
        t.ok(status === 401 || status === 404 || status === 400, `${path}: ${status}`)
      }
    }
  ],
  [
    'A103',
    'the client of a limit is read from the left of a header, or its twin in another notation',
    async (t) => {
      const { app, clock } = await start(t, { rateLimit: { mailPerClient }, server: { trustProxy: ['10.0.0.1'] } })
      const proxy = browserAt(app, clock, '10.0.0.1')
      const twins = ['8.8.4.4', '::ffff:8.8.4.4', '::FFFF:8.8.4.4', '::ffff:808:404']
      let sent = 0
      for (let count = 0; count < 2 * maxMails; count++) {
        const headers = { 'x-forwarded-for': `${twins[count % twins.length]}` }
        const response = await proxy.submit('/api/auth/signin/email', { email: `r${count}@example.com` }, { headers })
        if (response.status === 302) sent += 1
      }
      t.equal(sent, maxMails)
    }
  ]
]
