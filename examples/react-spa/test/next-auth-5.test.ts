// The client of next-auth 5, as it is installed from npm, in a real page.
import fastifyStatic from '@fastify/static'
import credentials from '@postern/core/providers/credentials'
import postern from '@postern/fastify'
import { freePort } from '@postern/testkit'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { shows } from './journey.ts'
import { buildPages } from './start.ts'

const fields = { username: 'ada', redirect: false }

/** An application with Auth.js' format of sessions. */
async function start(t: Test): Promise<string> {
  const root = await buildPages('test/pages', ['next-auth-5.html'])
  const port = await freePort()
  const url = `http://localhost:${port}`
  const app = Fastify({ forceCloseConnections: true })
  await app.register(postern, {
    url,
    secret: 'a secret of the tests, 32 characters or more',
    session: { format: 'auth-js' },
    providers: [
      credentials({
        credentials: { username: {} },
        authorize: ({ username }) => {
          if (username === 'ada') return { id: '1', name: 'Ada Lovelace' }
          // What `CredentialsSignin` of Auth.js is.
          throw Object.assign(new Error('locked'), { type: 'CredentialsSignin', code: 'locked' })
        }
      })
    ],
    callbacks: {
      jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, ...Object(session) } : token)
    }
  })
  await app.register(fastifyStatic, { root })
  await app.listen({ port, host: 'localhost' })
  t.teardown(() => app.close())
  return `${url}/next-auth-5.html`
}

t.test('next-auth 5 in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()
  const url = await start(t)
  const visit = async (t: Test) => {
    const context = await browser.newContext()
    t.teardown(() => context.close())
    const open = async () => {
      const page = await context.newPage()
      page.on('pageerror', (error) => t.fail(error.message))
      await page.goto(url)
      await shows(page, 'unauthenticated')
      return page
    }
    return { page: await open(), open }
  }

  t.test('a stranger is not signed in', async (t) => {
    const { page } = await visit(t)
    t.equal(await page.evaluate(() => window.probe.getSession()), null)
    await page.goto(`${url}?required`)
    await page.waitForURL('**/api/auth/signin?*')
    const { searchParams } = new URL(page.url())
    t.same(Object.fromEntries(searchParams), { error: 'SessionRequired', callbackUrl: `${url}?required` })
  })

  t.test('signing in, updating and signing out, in two tabs', async (t) => {
    const { page, open } = await visit(t)
    const other = await open()
    const refused = await page.evaluate(() => window.probe.signIn('credentials', { username: 'eve', redirect: false }))
    t.same(refused, { error: 'CredentialsSignin', code: 'locked', status: 401, ok: false, url: null })
    t.match(await page.evaluate((fields) => window.probe.signIn('credentials', fields), fields), { ok: true, url })
    await shows(page, 'authenticated', 'Ada Lovelace')
    t.match(await page.evaluate(() => window.probe.update({ name: 'Augusta' })), { user: { name: 'Augusta' } })
    await shows(page, 'authenticated', 'Augusta')
    await shows(other, 'authenticated', 'Augusta')
    t.match(await page.evaluate(() => window.probe.signOut({ redirect: false })), { url })
    await shows(page, 'unauthenticated')
    await shows(other, 'unauthenticated')
  })

  t.test('signing in and out with a redirect', async (t) => {
    const { page } = await visit(t)
    await page.evaluate(
      (redirectTo) => void window.probe.signIn('credentials', { username: 'ada', redirectTo }),
      `${url}?next`
    )
    await page.waitForURL(`${url}?next`)
    await shows(page, 'authenticated', 'Ada Lovelace')
    await page.evaluate(() => void window.probe.signOut())
    await shows(page, 'unauthenticated')
  })
})
