import { encode } from '@postern/core/jwt'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { cookieNames, people, secret, signInByForm } from '../start.ts'
import { accountsOf, address, idIn, mallory, script, signIn, signUp, startAccounts } from './setup.ts'

const addGuardedRoute = (app: FastifyInstance): void => {
  app.get('/danger', async (request, reply) => {
    await app.requireSession.with({ freshWithin: 60 }).call(app, request, reply)
    return reply.sent ? reply : { done: true }
  })
}
const before = (app: FastifyInstance) => app.after(() => addGuardedRoute(app))

t.test('a token of next-auth that was renewed just now is no recent sign-in', async (t) => {
  const session = { strategy: 'jwt', updateAge: 0 } as const
  const runtime = { now: Date.now }
  const started = await startAccounts(t, { store: 'none', providers: [people], session, runtime, before })
  const { browser } = started
  const seconds = Math.floor(Date.now() / 1000)
  for (const claims of [{}, { auth_time: seconds }, { auth_time: seconds, session_auth: 'credentials' }]) {
    const token = await encode({ token: { sub: 'vera', name: 'Vera', email: address, ...claims }, secret })
    browser.cookies.set(cookieNames.sessionToken, token, { secure: true })
    for (const state of ['as it is', 'renewed']) {
      t.equal((await browser.request('GET', '/danger', { headers: script })).status, 401, state)
      t.equal(await idIn(browser), 'vera')
    }
  }
})

t.test('a token of next-auth that was renewed just now links no account', async (t) => {
  const started = await startAccounts(t, {
    session: { strategy: 'jwt' },
    runtime: { now: Date.now },
    issuerOptions: { clock: { now: Date.now }, redirectUris: ['https://app.test/api/auth/callback/demo'] }
  })
  const id = await signUp(started)
  await started.adapter?.updateUser?.({ id, emailVerified: new Date() })
  const { browser } = started
  const token = await encode({ token: { sub: id, name: 'Vera', email: address }, secret })
  browser.cookies.set(cookieNames.sessionToken, token, { secure: true })
  t.equal(await idIn(browser), id, 'signed in')
  await signIn(started, browser, mallory, { link: 'true' })
  t.same(await accountsOf(started, id), [])
  const thief = started.newBrowser()
  await signIn(started, thief, mallory)
  t.not(await idIn(thief), id, 'nobody else signs in as the user')
})

t.test('a custom encode that omits auth_time does not make each renewal a recent sign-in', async (t) => {
  const started = await startAccounts(t, {
    store: 'none',
    providers: [people],
    session: { strategy: 'jwt', updateAge: 0 },
    jwt: {
      encode: ({ token: { auth_time: _, ...token } = {} }) => Buffer.from(JSON.stringify(token)).toString('base64url'),
      decode: ({ token }) => JSON.parse(Buffer.from(token ?? '', 'base64url').toString())
    },
    before
  })
  const { browser, clock } = started
  await signInByForm(browser, 'vera')
  t.ok(await idIn(browser))
  clock.advance(900)
  for (const state of ['as it is', 'renewed']) {
    t.equal((await browser.request('GET', '/danger', { headers: script })).status, 401, state)
    t.ok(await idIn(browser))
  }
})
