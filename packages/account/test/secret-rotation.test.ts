import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { AuditRecord } from '@postern/account/audit-log'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, PosternOptions } from '@postern/core'
import { type Browser, createBrowser, fromFetch } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { type AccountApplication, accountPath, comeBack } from './account-application.ts'
import { openAuditApplication } from './audit-log-application.ts'
import { getId } from './email-application.ts'
import { day, schedule } from './grace-period-application.ts'
import { addPasskey, canSignIn as canSignInWithPasskey } from './passkey-application.ts'
import {
  ada,
  base,
  createUser,
  first,
  forget,
  getAddress,
  origin,
  signIn,
  signUp,
  strategies
} from './password-application.ts'
import { answer, type Enrolled, enroll } from './second-factor-application.ts'
import { type Authenticator, createAuthenticator } from './software-authenticator.ts'

// The timers of background work do not keep the process alive.
const alive = setInterval(() => undefined, 60_000)
t.teardown(() => clearInterval(alive))

const [a, b] = ['a'.repeat(32), 'b'.repeat(32)]
const [d, e] = ['d'.repeat(32), 'e'.repeat(32)]
const [bob, carol, dan] = ['bob@example.com', 'carol@example.com', 'dan@example.com']

type Secrets = Pick<PosternOptions, 'secret' | 'dataSecret'>

/** What all processes of the test share. */
interface Stage {
  readonly open: (secrets: Secrets) => Promise<AccountApplication>
  readonly adapter: Adapter
  /** The records that the sink of the audit log has received. */
  readonly sent: AuditRecord[]
}

async function createStage(t: Test, strategy: (typeof strategies)[number], secrets: Secrets) {
  const adapter: Adapter = memoryAdapter()
  const sent: AuditRecord[] = []
  const options = {
    ...{ adapter, account: { encryptTokens: true }, accountPages: { deletionGracePeriod: 90 } },
    auditLog: { sink: (records: readonly AuditRecord[]) => void sent.push(...records) }
  }
  const app = await openAuditApplication(t, strategy, { ...options, ...secrets })
  const { clock, mailbox, issuer } = app
  const runtime: NonNullable<PosternOptions['runtime']> = {
    ...{ now: clock.now, sendMail: mailbox.sendMail },
    fetch: (address, init) => issuer.fetch(address, init)
  }
  let running = app
  /** Another process, in place of the one before. */
  const open: Stage['open'] = async (secrets) => {
    await running.auth.close()
    const next = await openAuditApplication(t, strategy, { ...options, runtime, ...secrets })
    running = { ...next, clock, mailbox, issuer }
    return running
  }
  return { app, stage: { open, adapter, sent } satisfies Stage }
}

/** A user with a password, an app, recovery codes and a passkey. */
interface Person extends Enrolled {
  readonly address: string
  readonly browser: Browser
  readonly authenticator: Authenticator
}

async function createPerson(app: AccountApplication, address: string): Promise<Person> {
  const browser = await createUser(app, address)
  const authenticator = createAuthenticator({ origin })
  await addPasskey(browser, authenticator)
  return { ...(await enroll(app, browser)), address, browser, authenticator }
}

/** Signs in with the password and a code. */
async function canSignIn(app: AccountApplication, person: Person, recoveryCode?: string): Promise<boolean> {
  const { address } = person
  const browser = app.newBrowser()
  await signIn(browser, address, first)
  app.clock.advance(61)
  await answer(browser, recoveryCode === undefined ? { code: person.app.code() } : { recoveryCode })
  return (await getAddress(browser)) === address
}

/** Takes the cookies of a browser to another process. */
function moveTo(app: AccountApplication, browser: Browser): Browser {
  return createBrowser({ origin, send: fromFetch(app.auth.fetch), clock: app.clock, cookies: browser.cookies.clone() })
}

async function createEverything(app: AccountApplication) {
  const [first, second] = [await createPerson(app, ada), await createPerson(app, bob)]
  const deleted = await createUser(app, carol)
  await schedule(deleted)
  const invited = await app.adapter.createUser?.({ name: null, email: dan, emailVerified: null })
  await app.auth.invite(invited?.id ?? '', { expiresIn: 90 * day })
  const browser = app.newBrowser()
  app.issuer.faults.tokenFields = { expires_in: 365 * day }
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, {}), { sub: 'eve', name: 'Eve' })
  const eve = (await app.adapter.getUserByAccount?.({ provider: 'acme', providerAccountId: 'eve' }))?.id ?? ''
  await app.auth.features['audit-log'].flush()
  const people: readonly [Person, Person] = [first, second]
  return { people, deleted, invited: invited?.id ?? '', eve }
}

type Everything = Awaited<ReturnType<typeof createEverything>>

/** Requires that what every feature has stored can be used. */
async function requireEverything(
  t: Test,
  app: AccountApplication,
  { people, eve, invited }: Everything
): Promise<void> {
  for (const person of people) {
    const { address, recoveryCodes, authenticator } = person
    t.ok(await canSignIn(app, person), `${address}: password and app`)
    t.ok(await canSignIn(app, person, recoveryCodes[0]), `${address}: password and recovery code`)
    const browser = app.newBrowser()
    await canSignInWithPasskey(browser, authenticator)
    app.clock.advance(61)
    await answer(browser, { code: person.app.code() })
    t.equal(await getAddress(browser), address, `${address}: passkey`)
    t.equal((await browser.open(accountPath)).status, 200, `${address}: the account page`)
    t.match(await app.auth.exportUser(await getId(app, address)), { user: { email: address } }, 'the export')
    const sent = app.mailbox.mails.length
    await forget(app.newBrowser(), address)
    t.equal(app.mailbox.mails.length, sent + 1, `${address}: the mail for a new password`)
  }
  t.type(await app.auth.getAccessToken(eve, 'acme'), 'string', 'the encrypted token of a provider')
  t.match(await app.auth.exportUser(await getId(app, carol)), { features: { account: { deletion: {} } } }, 'a deletion')
  const mailed = app.newBrowser()
  await mailed.submit(`${base}/signin/email`, { email: dan })
  await mailed.open(app.mailbox.last().url)
  t.equal(await getAddress(mailed), dan, 'an invitation')
  t.equal(await getId(app, dan), invited)
  t.same(await app.auth.reencrypt({ dryRun: true }), { reencrypted: 0, left: 0, unreadable: 0 }, 'no row is unreadable')
  t.same(
    app.logged.filter(([code]) => code === 'DATA_KEY_MISSING'),
    [],
    'and startup says nothing'
  )
}

/** Each process of a planned rotation: [first, overlap, without the old secret]. */
const rotations: readonly (readonly [title: string, ...steps: readonly [Secrets, Secrets, Secrets]])[] = [
  ['dataSecret is not set', { secret: a }, { secret: [b, a] }, { secret: b }],
  [
    'dataSecret is set during the rotation',
    { secret: a },
    { secret: [b, a], dataSecret: [d, a] },
    { secret: b, dataSecret: d }
  ],
  [
    'both are replaced',
    { secret: a, dataSecret: d },
    { secret: [b, a], dataSecret: [e, d] },
    { secret: b, dataSecret: e }
  ]
]

const turns = turnsOf(strategies, t)

// docs/operations.md, "Secrets"
for (const [title, before, overlap, after] of rotations)
  for (const { value: strategy, test } of turns())
    test(`${strategy}: a planned rotation ends nothing: ${title}`, async (t) => {
      const { app, stage } = await createStage(t, strategy, before)
      const everything = await createEverything(app)
      const [person] = everything.people
      const token = await app.auth.oneTimeTokens.create('a', 'subject', { expiresIn: 3600 })
      await forget(app.newBrowser(), bob)
      const link = app.mailbox.last()
      const sent = stage.sent.length

      const during = await stage.open(overlap)
      t.equal(await getAddress(moveTo(during, person.browser)), ada, 'sessions stay')
      t.equal(await during.auth.oneTimeTokens.consume('a', token), 'subject', 'a one-time token')
      t.match((await during.newBrowser().open(link.url)).body, 'type="password"', 'a mailed link')
      t.ok(await canSignIn(during, person), 'one of the users signs in')
      const { left: found } = await during.auth.reencrypt({ dryRun: true })
      const { reencrypted, left } = await during.auth.reencrypt()
      t.equal(reencrypted, found, 'what was counted')
      t.ok(found > 0)
      t.equal(left, 0)

      app.clock.advance(31 * day)
      const later = await stage.open(after)
      await requireEverything(t, later, everything)
      await later.auth.features['audit-log'].flush()
      const ids = stage.sent.map(({ id }) => id)
      t.ok(sent > 0 && ids.length > sent)
      t.equal(new Set(ids).size, ids.length, 'the sink goes on where it was')
    })

const missing = (app: AccountApplication): readonly string[] =>
  app.logged.flatMap(([code, metadata]) => (code === 'DATA_KEY_MISSING' ? [String(metadata)] : []))

t.test('rows are encrypted again when they are used; startup says how many others need the old secret', async (t) => {
  const { app, stage } = await createStage(t, 'database', { secret: a })
  const { people } = await createEverything(app)
  const [active, absent] = people
  const during = await stage.open({ secret: [b, a] })
  t.ok(await canSignIn(during, active))

  const later = await stage.open({ secret: b })
  const { unreadable } = await later.auth.reencrypt({ dryRun: true })
  const [warning = '', ...others] = missing(later)
  t.match(warning, `at least ${unreadable} rows of the store need a key that is not listed (2 factors, `)
  t.match(warning, 'list the secret that wrote them as dataSecret: [secret, former], and call app.postern.reencrypt()')
  t.same(others, [])
  t.ok(await canSignIn(later, active), 'password and app')
  t.notOk(await canSignIn(later, absent), 'the app of the other user')
  t.match(JSON.stringify(later.logged), 'the key of a factor is missing')

  const back = await stage.open({ secret: b, dataSecret: [b, a] })
  t.equal((await back.auth.reencrypt()).left, 0)
  t.same(missing(back), [])
  t.ok(await canSignIn(back, absent))
})

const sessionCookie = '__Secure-next-auth.session-token'

/** A browser with a JWT session that somebody has made who knows the secret, as next-auth v4 writes it. */
function forge(app: AccountApplication, userId: string): Browser {
  const key = Buffer.from(hkdfSync('sha256', a, '', 'NextAuth.js Generated Encryption Key', 32))
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')
  const [iat, iv] = [Math.floor(app.clock.now() / 1000), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header))
  const claims = JSON.stringify({ sub: userId, name: 'Bob', email: bob, iat, exp: iat + day })
  const encrypted = Buffer.concat([cipher.update(claims), cipher.final()])
  const parts = [iv, encrypted, cipher.getAuthTag()].map((part) => part.toString('base64url'))
  const browser = app.newBrowser()
  browser.cookies.set(sessionCookie, `${header}..${parts.join('.')}`, { secure: true })
  return browser
}

/** What browsers hold that the secret has issued: each with what it must not do anymore. */
async function createPresented(app: AccountApplication, { browser, app: phone }: Person) {
  const asked = app.newBrowser()
  await signIn(asked, ada, first)
  app.clock.advance(61)
  const trusted = moveTo(app, asked)
  await answer(trusted, { code: phone.code(), trust: 'yes' })
  app.clock.advance(61)
  await trusted.submit(`${base}/signout`, {})
  await signIn(asked, ada, first)
  const [mailed, signingUp, forgetful] = [app.newBrowser(), app.newBrowser(), app.newBrowser()]
  await mailed.submit(`${base}/signin/email`, { email: carol })
  const link = app.mailbox.last()
  await signUp(signingUp, 'new@example.com', first)
  const signUpLink = app.mailbox.last()
  await forget(forgetful, bob)
  const reset = app.mailbox.last()
  const token = await app.auth.oneTimeTokens.create('a', 'subject', { expiresIn: 30 * day })
  return { browser, asked, trusted, mailed, link, signingUp, signUpLink, reset, token }
}

// NIST SP 800-57 part 1, 5.3: a compromised key protects nothing anymore, and what it has protected is protected again.
for (const { value: strategy, test } of turns())
  test(`secret-1: attack: after a leak, ${strategy} accepts nothing of the old secret, and reads every row`, async (t) => {
    const { app, stage } = await createStage(t, strategy, { secret: a })
    const everything = await createEverything(app)
    const [person] = everything.people
    const held = await createPresented(app, person)
    t.equal(await getAddress(held.browser), ada)
    const victim = everything.eve
    if (strategy === 'jwt') t.equal(await getAddress(forge(app, victim)), bob, 'a forged session')

    const after = await stage.open({ secret: b, dataSecret: [b, a] })
    const inBrowser = (browser: Browser): Browser => moveTo(after, browser)
    t.equal(await getAddress(inBrowser(held.browser)), null, 'a session')
    if (strategy === 'jwt') t.equal(await getAddress(forge(after, victim)), null, 'a forged one')
    const asked = inBrowser(held.asked)
    await answer(asked, { code: person.app.code() })
    t.equal(await getAddress(asked), null, 'a sign-in that is not complete')
    const trusted = inBrowser(held.trusted)
    await signIn(trusted, ada, first)
    t.equal(await getAddress(trusted), null, 'a trusted browser is asked')
    const mailed = inBrowser(held.mailed)
    await mailed.open(held.link.url)
    t.equal(await getAddress(mailed), null, 'a link that signs in')
    const signingUp = inBrowser(held.signingUp)
    await signingUp.submit(`${base}/password/check-mail`, { code: held.signUpLink.code })
    t.notMatch((await signingUp.open(held.signUpLink.url)).body, 'type="password"', 'a link that signs up')
    t.equal((await after.adapter.getUserByEmail?.('new@example.com')) ?? null, null, 'and its code')
    t.notMatch((await after.newBrowser().open(held.reset.url)).body, 'type="password"', 'a link to a new password')
    t.equal(await after.auth.oneTimeTokens.consume('a', held.token), null, 'a one-time token')

    t.equal((await after.auth.reencrypt()).left, 0)
    await requireEverything(t, after, everything)
    t.ok(await canSignIn(await stage.open({ secret: b }), person), 'the old one is not needed anymore')
  })
