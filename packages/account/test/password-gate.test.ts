import { memoryAdapter } from '@postern/adapters/memory'
import { inTurn } from '@postern/testkit/long'
import t from 'tap'
import { gate, pass } from './gate.ts'
import {
  ada,
  base,
  canSignIn,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  openApplication,
  openLink,
  origin,
  second,
  signIn,
  signUp,
  strategies
} from './password-application.ts'

const someStrategies = inTurn(strategies)

t.test('an interruption of a sign-up: the password is stored together with the user', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openApplication(t, strategy, { features: [gate] })
    const browser = app.newBrowser()
    await signUp(browser, ada, first)
    t.match((await openLink(browser, app.mailbox.last())).location, /\/verify/)
    t.equal(await findUser(app, ada), null, 'nothing is written before')
    await pass(browser)
    t.equal(await getAddress(browser), ada)
    const other = app.newBrowser()
    t.match((await signIn(other, ada, first)).location, /\/verify/)
    t.equal(await getAddress(other), null, 'a password alone does not pass')
    await pass(other)
    t.equal(await getAddress(other), ada)
  }
})

t.test('an interruption of a sign-up: a user who was created in the meantime keeps the password', async (t) => {
  const app = await openApplication(t, 'database', { features: [gate] })
  const [one, other] = [app.newBrowser(), app.newBrowser()]
  await signUp(one, ada, first)
  await openLink(one, app.mailbox.last())
  await signUp(other, ada, second)
  await openLink(other, app.mailbox.last())
  await pass(other)
  t.equal(await getAddress(other), ada)
  await pass(one)
  t.equal(await getAddress(one), null, 'the sign-in belongs to another user than before')
  t.notOk(await canSignIn(one, ada, first))
  await signIn(one, ada, second)
  await pass(one)
  t.equal(await getAddress(one), ada)
})

t.test('a reset and a change end sign-ins that are interrupted', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openApplication(t, strategy, { features: [gate] })
    const owner = app.newBrowser()
    await signUp(owner, ada, first)
    await openLink(owner, app.mailbox.last())
    await pass(owner)
    const thief = app.newBrowser()
    await signIn(thief, ada, first)
    await forget(owner, ada)
    await openLink(owner, app.mailbox.last(), { password: second })
    await pass(thief)
    t.equal(await getAddress(thief), null, `${strategy}: after a reset`)

    await signIn(owner, ada, second)
    await pass(owner)
    await signIn(thief, ada, second)
    await owner.submit(`${base}/password`, { currentPassword: second, password: first })
    await pass(thief)
    t.equal(await getAddress(thief), null, `${strategy}: after a change`)
    t.equal(await getAddress(owner), ada)
  }
})

t.test('a suspended user, and one whom the callback refuses, are not signed in', async (t) => {
  for (const strategy of someStrategies()) {
    let isAllowed = true
    const app = await openApplication(t, strategy, { callbacks: { signIn: () => isAllowed } })
    await createUser(app)
    const user = await findUser(app, ada)
    isAllowed = false
    t.match((await signIn(app.newBrowser(), ada, first)).location, /AccessDenied/)
    isAllowed = true
    await app.auth.users.suspend(user?.id ?? '')
    t.match((await signIn(app.newBrowser(), ada, first)).location, /UserSuspended/)
    t.match((await signIn(app.newBrowser(), ada, second)).location, /CredentialsSignin/)
    await app.auth.users.resume(user?.id ?? '')
    t.ok(await canSignIn(app.newBrowser(), ada, first))
  }
})

t.test('a registration that cannot end sessions, or has no mail server, does not start', async (t) => {
  const { deleteSessions: _, ...without } = memoryAdapter()
  const start = async (
    ...[strategy, options]: Parameters<typeof openApplication> extends [unknown, ...infer R] ? R : []
  ) => openApplication(t, strategy, options)
  await t.rejects(start('database', { adapter: without }), { message: /features\.password.*deleteSessions/s })
  await t.resolves(start('jwt', { adapter: without }))
  const noRevocations = { strategy: 'jwt', revocations: false } as const
  await t.rejects(start('jwt', { session: noRevocations }), { message: /session\.revocations/ })
  const { createFactor: _create, ...noFactors } = memoryAdapter()
  await t.rejects(start('jwt', { adapter: noFactors }), { message: /features\.password.*createFactor/s })
})

t.test('responses of JSON clients', async (t) => {
  const app = await openApplication(t, 'database', { features: [gate] })
  const browser = app.newBrowser()
  await signUp(browser, ada, first)
  const token = new URL(app.mailbox.last().url).searchParams.get('token') ?? ''
  const interrupted = await browser.submit(`${base}/callback/password-sign-up`, { token, json: 'true' })
  t.equal(interrupted.status, 401)
  t.match(interrupted.json(), { url: `${origin}${base}/verify?error=VerificationRequired` })
})
