/// <reference lib="dom" />
import { gzipSync } from 'node:zlib'
import { memoryAdapter } from '@postern/adapters/memory'
import apple from '@postern/core/providers/apple'
import discord from '@postern/core/providers/discord'
import email from '@postern/core/providers/email'
import facebook from '@postern/core/providers/facebook'
import github from '@postern/core/providers/github'
import gitlab from '@postern/core/providers/gitlab'
import google from '@postern/core/providers/google'
import linkedin from '@postern/core/providers/linkedin'
import entra from '@postern/core/providers/microsoft-entra-id'
import slack from '@postern/core/providers/slack'
import spotify from '@postern/core/providers/spotify'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import postern from '../src/index.ts'
import { secret } from './start.ts'

const client = { clientId: 'id', clientSecret: 'secret' }
const ten = [google, apple, entra, facebook, github, gitlab, discord, linkedin, slack, spotify].map((of) => of(client))
const paths = [
  '/signin',
  '/signin?error=OAuthAccountNotLinked',
  '/signin?error=EmailSignin',
  '/signout',
  '/verify-request?provider=email&type=email',
  '/error',
  '/error?error=AccessDenied',
  '/error?error=Configuration',
  '/error?error=RateLimited',
  '/error?error=Verification'
]

async function listen(t: Test, logo: string): Promise<string> {
  const app = Fastify({ forceCloseConnections: true })
  const url = 'http://localhost'
  await app.register(postern, {
    url,
    secret,
    adapter: memoryAdapter(),
    theme: { logo, brandColor: '#0a7755', radius: '8px' },
    providers: [...ten, email({ server: 'smtp://localhost:1', from: 'a@example.com' })]
  })
  t.teardown(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

const pictureSource = (header: string | null): string | undefined => /img-src ([^;]*)/.exec(header ?? '')?.[1]

t.test('the screens in Chromium, without JavaScript', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()

  await t.test(
    'nothing remote is requested, nothing is refused by the policy, no element has a separate style',
    async (t) => {
      const base = `${await listen(t, '')}/api/auth`
      const context = await browser.newContext({ javaScriptEnabled: false })
      t.teardown(() => context.close())
      const page = await context.newPage()
      const requests: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      page.on('console', (message) => {
        // The status of an error page is what it should be.
        if (!message.text().includes('the server responded with a status')) complaints.push(message.text())
      })
      for (const path of paths) {
        const response = await page.goto(base + path)
        t.equal(pictureSource(response?.headers()['content-security-policy'] ?? null), "'self' data:", path)
        const count = (selector: string): Promise<number> =>
          page.evaluate((selector) => document.querySelectorAll(selector).length, selector)
        t.equal(await count('[style], style, script'), 0, path)
        t.equal(await count('.card h1'), 1, path)
      }
      t.same(complaints, [])
      const files = new Set(requests.filter((url) => !paths.some((path) => url === base + path)))
      t.equal(files.size, 1, 'one style sheet for all')
      t.ok([...files].every((url) => url.startsWith(`${base}/assets/`)))
    }
  )

  await t.test('a remote logo adds its origin to the policy, and nothing else', async (t) => {
    const logo = 'https://cdn.example.com/logos/acme.svg?v=1'
    const base = `${await listen(t, logo)}/api/auth`
    const context = await browser.newContext({ javaScriptEnabled: false })
    t.teardown(() => context.close())
    const remote: string[] = []
    await context.route(/example\.com/, (route) => {
      remote.push(route.request().url())
      return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
    })
    const page = await context.newPage()
    const response = await page.goto(`${base}/signin`)
    t.equal(
      pictureSource(response?.headers()['content-security-policy'] ?? null),
      "'self' data: https://cdn.example.com"
    )
    t.same(remote, [logo])
    const plain = pictureSource(
      (await fetch(`${await listen(t, '/logo.svg')}/api/auth/signin`)).headers.get('content-security-policy')
    )
    t.equal(plain, "'self' data:")
  })
})

t.test('ten providers and a form weigh less than 15 kB, and the style sheet is kept for a year', async (t) => {
  const base = await listen(t, '')
  const html = await (await fetch(`${base}/api/auth/signin`)).text()
  t.equal(html.split('class="mark').length - 1, 10)
  const [, path = ''] = /href="([^"]+\.css)"/.exec(html) ?? []
  const sheet = await fetch(base + path)
  const css = await sheet.text()
  t.equal(sheet.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  t.match(css, '--radius:8px;')
  const weight = gzipSync(html).length + gzipSync(css).length
  console.log(`${weight} B compressed`)
  t.ok(weight < 15_000, `${weight}`)
})
