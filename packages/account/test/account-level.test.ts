import type { Factor } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { some, turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  type AccountApplication,
  accountPath,
  ada,
  comeBack,
  createUser,
  first,
  openAccountApplication,
  origin,
  second,
  signIn,
  signInByMail,
  strategies
} from './account-application.ts'
import { deleteByLink } from './grace-period-application.ts'
import { getAuthentication, signInWithPasskey } from './passkey-application.ts'
import { addFactorPasskey, answer, base, enroll, type FactorApplicationOptions } from './second-factor-application.ts'
import { openStage, type Stage } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'

const day = 86_400

/** What a user has besides a password and an account at a provider. */
const holdings = ['nothing', 'an app', 'a passkey of two factors', 'a passkey of one factor'] as const
type Holding = (typeof holdings)[number]

/** Each sign-in gets a session without a question: what the application asks for does not decide what a change needs. */
const satisfiedBy = (): boolean => true

const policies = {
  'no second factor': null,
  'nobody is asked': { satisfiedBy },
  'everybody is asked': { required: true, satisfiedBy }
} as const
type Policy = keyof typeof policies

/** A user in a browser that is signed in. */
interface Subject {
  readonly stage: LevelStage
  readonly browser: Browser
  readonly userId: string
}

type LevelStage = Stage & Pick<AccountApplication, 'issuer'>

const passkeyId = (userId: string): string => userId.replaceAll('-', '').padEnd(43, 'x').slice(0, 43)

/** What adds, replaces, removes or reads out what the user signs in with, or cannot be taken back. */
const operations: Readonly<Record<string, (subject: Subject) => Promise<BrowserResponse>>> = {
  'an app is set up': ({ browser }) => browser.submit(`${base}/factors/totp/start`, {}),
  'a passkey is added': ({ browser }) => browser.submit(`${base}/passkeys/options`, {}),
  'a passkey is removed': ({ browser, userId }) => browser.submit(`${base}/passkeys/${passkeyId(userId)}/remove`, {}),
  'recovery codes are replaced': ({ browser }) => browser.submit(`${base}/factors/recovery-codes`, {}),
  'a password is set': ({ browser }) => browser.submit(`${base}/password`, { password: second }),
  'the address is changed': ({ browser }) => browser.submit(`${accountPath}/email`, { email: 'next@example.com' }),
  'an account is connected': async ({ stage, browser, userId }) => {
    const started = await browser.submit(`${base}/signin/acme`, { link: 'true' })
    return comeBack(stage, browser, started, { sub: `${userId} at work`, name: 'A' })
  },
  'an account is disconnected': ({ browser, userId }) =>
    browser.submit(`${accountPath}/connections/remove`, { provider: 'acme', providerAccountId: userId }),
  'the data is exported': ({ browser }) => browser.submit(`${accountPath}/data`, {}),
  'the account is deleted': ({ browser }) => browser.submit(`${accountPath}/delete`, { confirmation: 'DELETE' })
}

/** Whether the user is asked for both factors: before the operation, or by the sign-in that connects an account. */
const isAsked = ({ location }: BrowserResponse): boolean =>
  /\/verify\?(?:.*amr=mfa|error=SecondFactorRequired)/.test(location ?? '')

async function openLevels(
  t: Parameters<typeof openStage>[0],
  strategy: (typeof strategies)[number],
  secondFactor: FactorApplicationOptions['secondFactor']
): Promise<LevelStage> {
  const opened: AccountApplication[] = []
  const open: typeof openAccountApplication = async (...args) => {
    const app = await openAccountApplication(...args)
    opened.push(app)
    return app
  }
  const stage = await openStage(t, strategy, secondFactor === undefined ? {} : { secondFactor }, open)
  const [app] = opened
  if (!app) throw new Error('expected an application')
  return { ...stage, issuer: app.issuer }
}

/** Gives a user a passkey, as somebody has added it who has, or has not, proven to be the owner. */
async function addPasskeyRow({ context }: Stage, userId: string, isTwo: boolean): Promise<void> {
  const data = {
    ...{ credentialId: passkeyId(userId), publicKey: '', counter: 0, transports: [], aaguid: null, handle: null },
    ...{ isBackupEligible: false, isBackedUp: false, isConfirmed: true },
    ...{ isUserVerified: isTwo, isOwnerProven: isTwo }
  }
  const about = { userId, name: 'Key', lastUsedAt: null, version: 0, createdAt: new Date(context.now()) }
  const factor: Factor = { type: 'passkey', id: passkeyId(userId), ...about, data: JSON.stringify(data) }
  await context.factors.create(factor)
}

let users = 0

/** A user who has something, in a browser that is signed in with one factor or two. */
async function enter(stage: LevelStage, holding: Holding, amr: string): Promise<Subject> {
  const userId = await stage.addUser(`user-${users++}@example.com`)
  if (holding === 'an app') await stage.addApp(userId)
  if (holding.startsWith('a passkey')) await addPasskeyRow(stage, userId, holding === 'a passkey of two factors')
  const account = { provider: 'acme', providerAccountId: userId, type: 'oauth', userId } as const
  await stage.adapter.linkAccount?.(account)
  const browser = stage.newBrowser()
  await stage.enter(browser, userId, amr)
  return { stage, browser, userId }
}

/** Whether the user has two factors. Without a second factor, a thief of one factor may have added the passkey. */
const isTwo = (holding: Holding, policy: Policy): boolean =>
  policy !== 'no second factor' && (holding === 'an app' || holding === 'a passkey of two factors')

/** Whether the application has the page, and the page asks by the session: with an app, it asks for a code of it. */
function isTested(operation: string, holding: Holding, policy: Policy): boolean {
  if (operation === 'an app is set up') return policy !== 'no second factor' && holding !== 'an app'
  if (operation === 'recovery codes are replaced')
    return policy !== 'no second factor' && holding === 'a passkey of two factors'
  if (operation === 'a passkey is removed') return holding.startsWith('a passkey')
  return true
}

const turns = turnsOf(strategies, t)

// NIST SP 800-63B-4 §4.1.2: another authenticator is bound at the highest level that the account has.
for (const [policy, secondFactor] of Object.entries(policies) as [Policy, FactorApplicationOptions['secondFactor']][])
  for (const { value: strategy, test } of turns())
    test(`${strategy}, ${policy}: a change of what a user signs in with needs two factors if the user has them`, async (t) => {
      const stage = await openLevels(t, strategy, secondFactor)
      const all = holdings.flatMap((holding) =>
        Object.entries(operations).flatMap(([name, run]) =>
          isTested(name, holding, policy) ? [{ holding, name, run }] : []
        )
      )
      for (const { holding, name, run } of some(all, ({ holding, name }) => [holding, name])) {
        const single = await run(await enter(stage, holding, 'pwd'))
        t.equal(isAsked(single), isTwo(holding, policy), `${name}, one factor given, the user has ${holding}`)
        const strong = await run(await enter(stage, holding, 'pwd mfa'))
        t.notOk(isAsked(strong), `${name}, two factors given, the user has ${holding}`)
        t.ok(strong.status < 400, `${name}, two factors given, the user has ${holding}: ${strong.status}`)
      }
    })

for (const { value: strategy, test } of turns())
  test(`${strategy}: the reader of the mailbox sets up no app in place of the passkey that is the second factor`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const owner = await createUser(app)
    const key = createAuthenticator({ origin })
    await addFactorPasskey(app, owner, key)
    await signInWithPasskey(owner, key)
    t.ok((await getAuthentication(app, owner))?.amr.includes('mfa'))
    const [known] = await app.auth.features.passkey.list((await getAuthentication(app, owner))?.userId ?? '')
    const thief = app.newBrowser()
    await signInByMail(thief, ada, app.mailbox)
    const sent = app.mailbox.mails.length
    for (const [path, values] of [
      ['/factors/totp/start', {}],
      ['/factors/totp', { send: 'mail' }],
      ['/factors/recovery-codes', {}],
      ['/passkeys/options', {}],
      ['/passkeys/code', {}],
      ['/passkeys', { credential: '{}' }],
      [`/passkeys/${known?.id}/remove`, {}],
      ['/password', { currentPassword: first, password: second }],
      ['/account/email', { email: 'mallory@example.com' }],
      ['/account/data', {}],
      ['/account/delete', { confirmation: 'DELETE' }]
    ] as const)
      t.match((await thief.submit(base + path, values)).location, /\/verify\?.*amr=mfa/, path)
    t.equal(app.mailbox.mails.length, sent, 'no code is mailed')
    t.notOk((await getAuthentication(app, thief))?.amr.includes('mfa'))
    t.equal(
      (await signIn(app.newBrowser(), ada, first)).location,
      origin,
      'the owner is asked for nothing of the thief'
    )
    t.equal((await signInWithPasskey(app.newBrowser(), key)).location, origin)
  })

for (const { value: strategy, test } of turns())
  test(`${strategy}: with the password alone, a trusted browser neither exports nor deletes the account`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const { app: phone } = await enroll(app, browser)
    await browser.submit(`${base}/signout`, {})
    await signIn(browser, ada, first)
    await answer(browser, { code: phone.code(), trust: 'yes' })
    app.clock.advance(day)
    await browser.submit(`${base}/signout`, {})
    t.equal((await signIn(browser, ada, first)).location, origin, 'the browser is not asked')
    t.same((await getAuthentication(app, browser))?.amr, ['pwd'])
    for (const [path, values] of [
      ['data', {}],
      ['delete', { confirmation: 'DELETE' }]
    ] as const) {
      const page = await browser.open(`${accountPath}/${path}`)
      t.equal(page.html().querySelector(`form[action="${accountPath}/${path}"]`), null, 'no form that is refused')
      const asked = await browser.submit(`${accountPath}/${path}`, values)
      t.match(asked.location, /\/verify\?.*amr=mfa/, path)
    }
    const asked = await browser.submit(`${accountPath}/data`, {})
    const values = { email: ada, password: first }
    await browser.fill(await browser.follow(asked), `${base}/callback/password`, values)
    await answer(browser, { code: phone.code() })
    t.equal((await browser.submit(`${accountPath}/data`, {})).status, 200)
    t.equal((await deleteByLink(app, browser)).status, 200)
    t.equal(await app.adapter.getUserByEmail?.(ada), null)
  })

t.test(
  'a deletion with a grace period waits, so that one factor schedules it, and it is no way to delete at once',
  async (t) => {
    const app = await openAccountApplication(t, 'database', { accountPages: { deletionGracePeriod: 7 } })
    const browser = await createUser(app)
    await addFactorPasskey(app, browser, createAuthenticator({ origin }))
    const asked = await browser.submit(`${accountPath}/delete`, { confirmation: 'DELETE' })
    t.match([asked.status, asked.body], [200, 'will be deleted'])
    t.ok(await app.adapter.getUserByEmail?.(ada))
  }
)

t.test('a password is changed in a session of any age, but not without the second factor', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  const key = createAuthenticator({ origin })
  await addFactorPasskey(app, browser, key)
  app.clock.advance(5 * day)
  const values = { currentPassword: first, password: second }
  t.match((await browser.submit(`${base}/password`, values)).location, /\/verify\?.*amr=mfa/)
  await signInWithPasskey(browser, key)
  app.clock.advance(5 * day)
  t.match((await browser.submit(`${base}/password`, values)).location, /\/password\/changed/)
})

t.test('after a reset by support staff, a user who has lost the passkey removes it and adds another one', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const lost = createAuthenticator({ origin })
  await addFactorPasskey(app, await createUser(app), lost)
  const userId = (await app.adapter.getUserByEmail?.(ada))?.id ?? ''
  const [known] = await app.auth.features.passkey.list(userId)
  await app.auth.features.factors.reset(userId, { actor: 'staff' })
  const thief = app.newBrowser()
  await signInWithPasskey(thief, lost)
  t.same((await getAuthentication(app, thief))?.amr, ['swk'], 'it is one factor')
  const browser = app.newBrowser()
  await signIn(browser, ada, first)
  const removed = await browser.submit(`${base}/passkeys/${known?.id}/remove`, {})
  t.equal(removed.location, `${origin}${base}/passkeys`)
  t.same(await app.auth.features.passkey.list(userId), [])
  await addFactorPasskey(app, browser, createAuthenticator({ origin }))
  t.equal((await app.auth.features.passkey.list(userId)).length, 1)
})
