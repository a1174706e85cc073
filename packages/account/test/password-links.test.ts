import type { BrowserResponse } from '@postern/testkit'
import { inTurn, times, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { createGate, pass } from './gate.ts'
import { createPaused } from './interrupted-store.ts'
import {
  type Application,
  ada,
  base,
  canSignIn,
  change,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  openApplication,
  openLink,
  second,
  signIn,
  signUp,
  strategies
} from './password-application.ts'

const third = 'a third sentence to remember'
const getToken = (url: string): string => new URL(url).searchParams.get('token') ?? ''
const isChanged = (response: BrowserResponse): boolean => /changed/.test(response.location ?? '')

const someStrategies = inTurn(strategies)

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`${strategy}: a stolen link signs nobody in, passes no second step, and the owner gets a mail`, async (t) => {
    const app = await openApplication(t, strategy, { features: [createGate()] })
    const [owner, thief] = [app.newBrowser(), app.newBrowser()]
    await signUp(owner, ada, first)
    await openLink(owner, app.mailbox.last())
    await pass(owner)
    await forget(owner, ada)
    const stolen = app.mailbox.last()
    t.ok(isChanged(await openLink(thief, stolen, { password: second })))
    t.equal(await getAddress(thief), null, 'a reset signs nobody in')
    t.match(app.mailbox.last(), { to: ada, subject: /was changed/ })
    t.match((await signIn(thief, ada, second)).location, /\/verify/)
    for (const word of ['', 'guess']) await pass(thief, word)
    t.equal(await getAddress(thief), null, 'the second step is not passed')
    await forget(owner, ada)
    await openLink(owner, app.mailbox.last(), { password: third })
    await pass(thief)
    t.equal(await getAddress(thief), null, 'the sign-in of the thief has ended')
    await signIn(thief, ada, second)
    await pass(thief)
    t.equal(await getAddress(thief), null, 'and the password no longer works')
    await signIn(owner, ada, third)
    await pass(owner)
    t.equal(await getAddress(owner), ada)
    t.notMatch(JSON.stringify(app.logged), getToken(stolen.url), 'the token is not logged')
  })

t.test('a token that is nearly right, or of another user, is of no use', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app)
  await forget(app.newBrowser(), ada)
  const token = getToken(app.mailbox.last().url)
  const wrong = [token.slice(1), `${token}A`, token.toLowerCase(), [...token].reverse().join(''), 'A'.repeat(43), '']
  for (const other of wrong) {
    const response = await app.newBrowser().submit(`${base}/password/reset`, { token: other, password: second })
    t.match({ status: response.status, body: response.body }, { status: 400, body: 'This link no longer works' })
  }
  const list = await app.newBrowser().request('GET', `${base}/password/reset?token=${token}&token=${token}`)
  t.equal(list.status, 400)
  t.ok(await canSignIn(app.newBrowser(), ada, first))
})

t.test('the event and the mail of a reset are about the owner of the link, not about the browser', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app)
  const grace = await createUser(app, 'grace@example.com', second)
  await forget(grace, ada)
  await openLink(grace, app.mailbox.last(), { password: third })
  const [event] = (await app.adapter.listEvents?.({ type: 'password-reset', limit: 10 })) ?? []
  t.equal(event?.userId, (await findUser(app, ada))?.id)
  t.equal(app.mailbox.last().to, ada)
  t.equal(await getAddress(grace), 'grace@example.com')
  t.ok(await canSignIn(app.newBrowser(), 'grace@example.com', second))
  t.ok(await canSignIn(app.newBrowser(), ada, third))
})

/** The links of several requests for one user. */
async function askForLinks(app: Application, count: number): Promise<readonly string[]> {
  const before = app.mailbox.mails.length
  for (let asked = 0; asked < count; asked++) await forget(app.newBrowser(), ada)
  return app.mailbox.mails.slice(before).map(({ url }) => getToken(url))
}

t.test('of a reset and a change at once, one chooses the password', async (t) => {
  for (let round = 0; round < times(1, 50); round++) {
    const app = await openApplication(t, 'database')
    const browser = await createUser(app)
    const [token = ''] = await askForLinks(app, 1)
    const page = await browser.open(`${base}/password`)
    const stranger = app.newBrowser()
    const [changed, reset] = await Promise.all([
      browser.fill(page, `${base}/password`, { currentPassword: first, password: second }),
      stranger.submit(`${base}/password/reset`, { token, password: third })
    ])
    t.not(isChanged(changed), isChanged(reset), `round ${round}`)
    t.equal(await canSignIn(app.newBrowser(), ada, second), isChanged(changed))
    t.equal(await canSignIn(app.newBrowser(), ada, third), isChanged(reset))
  }
})

async function openSignedUp(t: Test, strategy: (typeof strategies)[number]) {
  // The time of a form is compared with the time at which sessions ended: it must pass.
  const app = await openApplication(t, strategy, { runtime: { now: Date.now } })
  await createUser(app)
  const [token = ''] = await askForLinks(app, 1)
  return { app, token }
}

for (const { value: strategy, test } of turns())
  test(`${strategy}: a sign-in with the old password during a reset leaves no session`, async (t) => {
    for (let round = 0; round < times(1, 50); round++) {
      const { app, token } = await openSignedUp(t, strategy)
      const thieves = Array.from({ length: 10 }, () => app.newBrowser())
      const [reset] = await Promise.all([
        app.newBrowser().submit(`${base}/password/reset`, { token, password: second }),
        ...thieves.map((thief) => signIn(thief, ada, first))
      ])
      t.ok(isChanged(reset))
      t.same(
        await Promise.all(thieves.map(getAddress)),
        thieves.map(() => null),
        `round ${round}`
      )
      const { id = '' } = (await findUser(app, ada)) ?? {}
      t.same(await app.auth.sessions.list(id), [])
    }
  })

t.test('a sign-in with the old password between the steps of a reset or a change leaves no session', async (t) => {
  for (const strategy of someStrategies()) {
    const { adapter, arm, isArmed } = createPaused('updateFactor')
    const app = await openApplication(t, strategy, { adapter })
    const owner = await createUser(app)
    const [token = ''] = await askForLinks(app, 1)
    const thief = app.newBrowser()
    const enter = (password: string) => async () => {
      app.clock.advance(1)
      t.ok(await canSignIn(thief, ada, password), `${strategy}: the old password still works`)
      app.clock.advance(1)
    }
    arm(enter(first))
    t.ok(isChanged(await app.newBrowser().submit(`${base}/password/reset`, { token, password: second })))
    t.equal(await getAddress(thief), null, `${strategy}: reset`)
    await signIn(owner, ada, second)
    t.notOk(isArmed())
    arm(enter(second))
    t.ok(isChanged(await change(owner, { currentPassword: second, password: third })))
    t.equal(await getAddress(thief), null, `${strategy}: change`)
    t.equal(await getAddress(owner), ada)
  }
})

/** Spellings of one password. */
const equivalents = [
  ['M\u00fcnchen im Sommer', 'Mu\u0308nchen im Sommer', '\uff2d\u00fcnchen im Sommer'],
  ['eine \ufb01ligrane Sache', 'eine filigrane Sache', 'eine \uff46iligrane Sache'],
  [
    '\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165 \uBE44\uBC00\uBC88\uD638 123456',
    '\ud55c\uad6d\uc5b4 \uBE44\uBC00\uBC88\uD638 123456'
  ],
  ['Temperatur in \u212b 1234', 'Temperatur in \u00c5 1234', 'Temperatur in A\u030a 1234']
] as const

t.test('every form takes equivalent spellings for one password', async (t) => {
  for (const [index, spellings] of equivalents.entries()) {
    const app = await openApplication(t, 'database')
    const typed = (step: number): string => spellings[step % spellings.length] ?? ''
    await createUser(app, ada, typed(0))
    t.ok(await canSignIn(app.newBrowser(), ada, typed(1)), `${index}: sign-in`)
    const browser = app.newBrowser()
    await signIn(browser, ada, typed(2))
    app.clock.advance(700)
    t.match((await change(browser, { currentPassword: typed(1), password: second })).location, /changed/, `${index}`)
    await forget(browser, ada)
    await openLink(browser, app.mailbox.last(), { password: typed(1) })
    t.ok(await canSignIn(app.newBrowser(), ada, typed(0)), `${index}: reset`)
    t.notOk(await canSignIn(app.newBrowser(), ada, `${typed(0)}.`), `${index}: no other text`)
  }
})

t.test('no form takes NUL, a lone surrogate, or more than 256 characters', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  await forget(app.newBrowser(), ada)
  const token = getToken(app.mailbox.last().url)
  const astral = '\u{1F511}\u{1F512}'.repeat(128)
  const wrong = { NUL: 'a zero \0 character inside', surrogate: 'a lone surrogate \udd11 inside', long: `${astral}a` }
  for (const [name, password] of Object.entries(wrong)) {
    const bodies = [
      await browser.submit(`${base}/password/sign-up`, { email: 'x@example.com', password }, { json: true }),
      await browser.submit(`${base}/password/reset`, { token, password }, { json: true }),
      await browser.submit(`${base}/password`, { password }, { json: true })
    ]
    for (const { status, body } of bodies) {
      t.equal(status, 400, name)
      t.match(body, name === 'long' ? 'tooLong' : 'characters', name)
    }
    const failed = await app.newBrowser().submit(`${base}/callback/password`, { email: ada, password }, { json: true })
    t.match({ status: failed.status, location: failed.location }, { location: /CredentialsSignin/ }, name)
  }
  t.match((await change(browser, { password: astral })).location, /changed/, '256 characters outside the BMP')
  t.ok(await canSignIn(app.newBrowser(), ada, astral))
  t.notOk(await canSignIn(app.newBrowser(), ada, astral.slice(0, -2)))
})
