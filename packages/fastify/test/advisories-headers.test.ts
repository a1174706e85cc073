import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import Fastify from 'fastify'
import t from 'tap'
import postern from '../src/index.ts'
import { fromAfar, people, secret, start } from './start.ts'

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; frame-ancestors 'none'"

const withForm = 'strict-origin'
const withoutForm = 'no-referrer'

t.test('R95 every page has the headers of its kind', async (t) => {
  const { browser, newBrowser, mailbox } = await start(t, { pages: { newUser: true } })
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  const stranger = newBrowser()
  const pages = [
    [await browser.open('/api/auth/signin'), withForm],
    [await browser.open('/api/auth/signin?error=OAuthSignin'), withForm],
    [await browser.open('/api/auth/signout'), withForm],
    [await browser.open('/api/auth/verify-request?provider=email&type=email'), withForm],
    [await stranger.open(mailbox.last().url, { headers: fromAfar }), withForm],
    [await stranger.open('/api/auth/callback/demo?code=a&state=b'), withForm],
    [await browser.open('/api/auth/error?error=AccessDenied'), withoutForm],
    [await browser.open('/api/auth/error?error=Configuration'), withoutForm],
    [await browser.open('/api/auth/welcome'), withoutForm]
  ] as const
  for (const [page, referrer] of pages) {
    t.match(page.headers, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache, no-store',
      'content-security-policy': policy,
      'referrer-policy': referrer,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin'
    })
    const inline = page.html().querySelectorAll('script:not([src]), style, [style], [onclick], [onload]')
    t.equal(inline.length, 0, `${page.url}: nothing inline`)
  }
})

t.test('R95 the application chooses other headers for the pages', async (t) => {
  const { browser } = await start(t, {
    contentSecurityPolicy: (own) => `${own}; report-uri /csp`,
    headers: {
      'X-Frame-Options': null,
      'Permissions-Policy': 'camera=()',
      'referrer-policy': 'same-origin',
      unset: undefined
    }
  })
  const { headers } = await browser.open('/api/auth/signin')
  t.equal(headers['content-security-policy'], `${policy}; report-uri /csp`)
  t.match(headers, { 'permissions-policy': 'camera=()', 'referrer-policy': 'same-origin' })
  t.notOk('x-frame-options' in headers || 'unset' in headers)
  const json = await browser.open('/api/auth/csrf')
  t.notOk('permissions-policy' in json.headers, 'pages only')
  const plain = await start(t, { contentSecurityPolicy: "default-src 'self'" })
  t.equal((await plain.browser.open('/api/auth/error')).headers['content-security-policy'], "default-src 'self'")
})

t.test('R95 headers that cannot be sent, or that we cannot do without, are reported at registration', async (t) => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ headers: { 'set-cookie': 'a=b' } }, 'headers.set-cookie'],
    [{ headers: { 'Cache-Control': 'public' } }, 'headers.Cache-Control'],
    [{ headers: { 'x y': 'a' } }, 'headers.x y'],
    [{ headers: { x: 'a\r\nset-cookie: b=c' } }, 'headers.x'],
    [{ headers: { x: 1 } }, 'headers.x'],
    [{ headers: 'x' }, 'headers'],
    [{ contentSecurityPolicy: "default-src 'self'\n" }, 'contentSecurityPolicy'],
    [{ contentSecurityPolicy: () => null }, 'contentSecurityPolicy'],
    [{ contentSecurityPolicy: 1 }, 'contentSecurityPolicy']
  ]
  for (const [options, option] of wrong) {
    const app = Fastify()
    t.teardown(() => app.close())
    const registering = app.register(postern, { url: 'https://app.test', secret, providers: [people], ...options })
    await t.rejects(Promise.resolve(registering.after()), { code: 'POSTERN_CONFIG', problems: [{ option }] }, option)
  }
})

t.test(
  'R95 Chromium shows no page of Postern in a frame, and finds nothing that the policy forbids',
  { skip: withoutChromium },
  async (t) => {
    const app = Fastify({ forceCloseConnections: true })
    t.teardown(() => app.close())
    await app.register(postern, { secret, providers: [people], runtime: {} })
    app.get('/framed', async (_request, reply) =>
      reply.type('text/html').send('<iframe id="page" src="/api/auth/signin" width="400" height="400"></iframe>')
    )
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const chromium = await openChromium()
    const page = await chromium.newPage()
    const violations: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && violations.push(message.text())))
    for (const path of ['signin', 'signin?error=Callback', 'signout', 'error?error=AccessDenied', 'verify-request']) {
      await page.goto(`${url}/api/auth/${path}`)
      t.ok(await page.locator('h1').isVisible(), path)
    }
    t.same(
      violations.filter((text) => /security policy/i.test(text)),
      []
    )
    const buttons = await page.goto(`${url}/api/auth/signin`).then(() => page.locator('button').count())
    t.ok(buttons > 0, 'the page has a button where it is not framed')
    await page.goto(`${url}/framed`)
    const frame = page.frames().find((candidate) => candidate.parentFrame() !== null)
    t.equal(await frame?.locator('button').count(), 0, 'and none in a frame')
    t.ok(
      violations.some((text) => text.includes('frame')),
      'the browser reports the reason'
    )
  }
)
