import { encode } from '@postern/core/jwt'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  accountPath,
  ada,
  base,
  comeBack,
  createUser,
  first,
  getAddress,
  openAccountApplication,
  second,
  signIn,
  strategies
} from './account-application.ts'
import { day, getId, isSignedIn, openSession, person } from './email-application.ts'

const devicesPath = `${accountPath}/devices`
const json = { accept: 'application/json' }
const sessionCookie = '__Secure-next-auth.session-token'

/** In `npm test` a test has one strategy, and the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

/** A user whose password is older than 7 days. */
async function open(t: Test, strategy: (typeof strategies)[number] = 'database', options = {}) {
  const app = await openAccountApplication(t, strategy, options)
  const browser = await createUser(app)
  const id = await getId(app, ada)
  app.clock.advance(8 * day)
  return { app, browser, id }
}

for (const { value: strategy, test } of turns())
  test(`${strategy}: a session is recent for 600 seconds, and its renewal does not make it so again`, async (t) => {
    const { app, browser, id } = await open(t, strategy)
    await signIn(browser, ada, first)
    await openSession(app)
    app.clock.advance(600)
    t.match((await browser.submit(`${devicesPath}/end-others`, {})).location, /done=devicesEnded/)
    const owner = await openSession(app)
    app.clock.advance(1)
    // A renewal, and an update by the client.
    for (const wait of [0, 2 * day]) {
      app.clock.advance(wait)
      await getAddress(browser)
      await browser.submit(`${base}/session`, { data: '{"auth_time":9999999999}' })
      const [other] = await app.auth.sessions.list(id)
      for (const [path, values] of [
        ['end', { id: other?.id ?? '' }],
        ['end-others', {}]
      ] as const)
        t.match((await browser.submit(`${devicesPath}/${path}`, values)).location, /\/verify\?/, `${path} ${wait}`)
    }
    t.ok(await isSignedIn(browser))
    t.ok(await isSignedIn(owner))
  })

for (const { value: strategy, test } of turns())
  test(`${strategy}: a session of next-auth ends no other one, and sets no password`, async (t) => {
    const app = await openAccountApplication(t, strategy, { session: { strategy, storage: 'both' } })
    const owner = app.newBrowser()
    await comeBack(app, owner, await owner.submit(`${base}/signin/acme`, {}), person)
    const id = await getId(app, ada)
    await app.adapter.updateUser?.({ id, emailVerified: new Date(app.clock.now()) })
    const foreign = app.newBrowser()
    const now = Math.floor(app.clock.now() / 1000)
    const secret = 'a secret of the tests, 32 characters or more'
    const value =
      strategy === 'jwt'
        ? await encode({
            token: { sub: id, name: 'Ada', email: ada, iat: now, auth_time: now, amr: ['mfa'] },
            secret,
            maxAge: 4000 * day
          })
        : '3f0c7a7e-6a8b-4f0e-9d7e-0d6f5f5c1a11'
    if (strategy === 'database')
      await app.adapter.createSession?.({
        sessionToken: value,
        userId: id,
        expires: new Date(app.clock.now() + day * 1000)
      })
    foreign.cookies.set(sessionCookie, value, { secure: true })
    t.equal(await getAddress(foreign), ada, 'it is a session')
    for (const headers of [{}, json]) {
      for (const [path, values] of [
        [`${devicesPath}/end-others`, {}],
        [`${devicesPath}/end`, { id: (await app.auth.sessions.list(id))[0]?.id ?? '' }],
        [`${base}/password`, { password: second }]
      ] as const) {
        const refused = await foreign.submit(path, values, { headers })
        t.match(refused.location ?? refused.body, '/verify?', path)
      }
    }
    t.ok(await isSignedIn(owner))
    t.same(await app.adapter.listFactors?.(id), [])
  })

t.test(
  'a session that is not recent, and not listed, is asked to authenticate on the page of the devices',
  async (t) => {
    const app = await openAccountApplication(t, 'jwt')
    await createUser(app)
    const id = await getId(app, ada)
    const foreign = app.newBrowser()
    const token = { sub: id, name: 'Ada', email: ada, iat: Math.floor(app.clock.now() / 1000) }
    const value = await encode({ token, secret: 'a secret of the tests, 32 characters or more', maxAge: 4000 * day })
    foreign.cookies.set(sessionCookie, value, { secure: true })
    const page = await foreign.open(devicesPath)
    t.equal(page.status, 200)
    t.equal(page.html().querySelectorAll(`form[action^="${devicesPath}"]`).length, 0, 'no form that is refused')
    t.match(page.body, 'Confirm that it is you')
  }
)
