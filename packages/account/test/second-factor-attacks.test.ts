import { accountPages } from '@postern/account/pages'
import { secondFactor } from '@postern/account/second-factor'
import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern, type OAuthConfig } from '@postern/core'
import { type Feature, redirect } from '@postern/core/feature'
import { type Browser, type BrowserResponse, createBrowser, createIssuer, fromFetch } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { verifyTotp } from '../src/second-factor/stored-totp.ts'
import { addPasskey, getAuthentication, readOptions } from './passkey-application.ts'
import {
  ada,
  change,
  createUser,
  first,
  forget,
  getAddress,
  openLink,
  origin,
  second,
  signIn,
  signInByMail
} from './password-application.ts'
import {
  addFactorPasskey,
  answer,
  base,
  createApp,
  enroll,
  type FactorApplication,
  getKey,
  getRecoveryCodes,
  openApplication,
  openWithFactor,
  postEnrollment,
  readKey,
  signInWithBoth,
  signInWithPassword,
  startEnrollment,
  startWithMail
} from './second-factor-application.ts'
import { type AdaStage, admit, copy, openAda, openBeside, openStage, wait } from './second-factor-stage.ts'
import { type Changes, createAuthenticator, type RequestOptions } from './software-authenticator.ts'

/** Sends wrong codes, with as many sign-ins as needed. @returns The status of the last response. */
async function guess({ newBrowser, app, clock }: FactorApplication, count: number, pause: number): Promise<number> {
  let status = 0
  let browser = newBrowser()
  for (let index = 0; index < count; index++) {
    if (index % 2 === 0) {
      browser = newBrowser()
      await signInWithPassword(browser)
    }
    status = (await answer(browser, { code: app.wrongCode() })).status
    clock.advance(pause)
  }
  return status
}

t.test('wrong codes delay further ones, and never lock the owner out', async (t) => {
  const app = await openWithFactor(t, 'database', { rateLimit: {} })
  const known = app.newBrowser()
  await signInWithPassword(known)
  await answer(known, { code: app.app.code() })
  t.equal(await guess(app, 20, 61), 400)
  const stranger = app.newBrowser()
  await signInWithPassword(stranger)
  t.equal((await answer(stranger, { code: app.app.wrongCode() })).status, 400)
  const delayed = await answer(stranger, { code: app.app.code(), json: 'true' })
  t.equal(delayed.status, 429)
  t.ok(Number(delayed.headers['retry-after']) <= 30)
  app.clock.advance(31)
  await signInWithPassword(known)
  t.equal((await answer(known, { code: app.app.code() })).location, origin, 'a browser of the owner does not wait')
  app.clock.advance(31)
  t.equal((await answer(stranger, { code: app.app.code() })).location, origin, 'after at most 30 s')
})

t.test('after 30 failures a code needs a mailed one too; recovery codes and passkeys work', async (t) => {
  const app = await openWithFactor(t, 'database')
  t.equal(await guess(app, 30, 200), 400)
  const owner = app.newBrowser()
  await signInWithPassword(owner)
  const asked = await owner.open(`${base}/verify/factor`)
  t.match(asked.body, 'Send code by email')
  t.equal((await answer(owner, { code: app.app.code() })).status, 200, 'the code is not compared')
  const before = app.mailbox.mails.length
  await answer(owner, { send: 'mail' })
  t.equal(app.mailbox.mails.length, before + 1)
  const mailCode = app.mailbox.last().code
  t.equal((await answer(owner, { code: app.app.code(), mailCode: 'BBBBBBBB' })).status, 400)
  t.equal((await answer(owner, { code: app.app.code(), mailCode })).location, origin)
  t.equal(await getAddress(owner), ada)

  app.clock.advance(31)
  const byMail = app.newBrowser()
  await signInByMail(byMail, ada, app.mailbox)
  t.match((await byMail.open(`${base}/verify/factor`)).body, 'Use a recovery code to continue.')
  t.equal((await answer(byMail, { send: 'mail' })).status, 400, 'a second mail proves nothing else')
  t.equal((await answer(byMail, { code: app.app.code() })).status, 400)
  t.equal((await answer(byMail, { recoveryCode: app.recoveryCodes[0] ?? '' })).location, origin)

  app.clock.advance(364 * 86_400)
  await signInWithPassword(owner)
  t.match((await owner.open(`${base}/verify/factor`)).body, 'Send code by email', 'a success resets nothing')
  app.clock.advance(2 * 86_400)
  await signInWithPassword(owner)
  t.equal((await answer(owner, { code: app.app.code() })).location, origin)
})

t.test('a code cannot be replayed, and the clock may differ by 30 s', async (t) => {
  const app = await openWithFactor(t, 'jwt')
  const start = async (): Promise<Browser> => {
    const browser = app.newBrowser()
    await signInWithPassword(browser)
    return browser
  }
  const code = app.app.code()
  t.equal((await answer(await start(), { code })).location, origin)
  t.equal((await answer(await start(), { code })).status, 400, 'the same code')
  t.equal((await answer(await start(), { code: app.app.code(-30) })).status, 400, 'an earlier one')
  t.equal((await answer(await start(), { code: app.app.code(30) })).location, origin)
  app.clock.advance(300)
  for (const offset of [-90, 90]) t.equal((await answer(await start(), { code: app.app.code(offset) })).status, 400)
  t.equal((await answer(await start(), { code: app.app.code(-30) })).location, origin)
})

t.test('a pending sign-in belongs to its browser, and ends with a change of password or factor', async (t) => {
  const app = await openWithFactor(t, 'database')
  const [one, copy] = [app.newBrowser(), app.newBrowser()]
  await signInWithPassword(one)
  t.match((await answer(copy, { code: app.app.code() })).location, /error=Callback/)
  await signInWithBoth(app)
  await change(app.browser, { password: second })
  t.match((await answer(one, { code: app.app.code() })).location, /error=Callback/)
  await signIn(one, ada, second)
  app.clock.advance(31)
  await app.browser.submit(`${base}/factors/totp/remove`, { code: app.app.code() })
  app.clock.advance(31)
  t.match((await answer(one, { code: app.app.code() })).location, /error=Callback/)
  t.equal(await getAddress(one), null)
})

t.test('changes need a recent sign-in and a code', async (t) => {
  const app = await openWithFactor(t, 'database')
  const { browser, clock } = app
  const list = () => app.auth.features.factors.list(app.userId)
  const page = await browser.open(`${base}/factors`)
  t.match(page.body, 'Recovery codes left: 10.')
  for (const path of ['totp/remove', 'recovery-codes'])
    for (const code of ['', app.app.wrongCode(), 'ABCDE-FGHJK']) {
      const refused = await browser.submit(`${base}/factors/${path}`, { code })
      t.equal(refused.status, 400, `${path} ${code}`)
      t.match(refused.body, 'The code is wrong')
    }
  t.equal((await list()).length, 2)
  const mailed = app.mailbox.mails.length
  const renewed = await browser.submit(`${base}/factors/recovery-codes`, { code: app.recoveryCodes[0] ?? '' })
  const codes = getRecoveryCodes(renewed)
  // OWASP ASVS 5.0, 6.3.7: users are notified after updates to authentication details.
  t.match(
    app.mailbox.mails.slice(mailed).map(({ subject }) => subject),
    [/^A recovery code was used/, /^New recovery codes were created/]
  )
  t.match(app.mailbox.last(), { to: ada, url: `${origin}${base}/factors`, text: /If it was not you/ })
  t.equal(codes.length, 10)
  t.match(renewed.headers['cache-control'], 'no-store')
  const other = app.newBrowser()
  await signInWithPassword(other)
  t.equal((await answer(other, { recoveryCode: app.recoveryCodes[1] ?? '' })).status, 400, 'the old codes are gone')
  t.equal((await answer(other, { recoveryCode: codes[1] ?? '' })).location, origin)
  clock.advance(601)
  const stale = await browser.submit(`${base}/factors/totp/remove`, { code: app.app.code() })
  t.match(stale.location, /\/verify\?callbackUrl=.*max_age=600/)
  t.equal((await list()).length, 2)
  const start = await browser.submit(`${base}/factors/totp/start`, {})
  t.match(start.location, /\/verify\?/)
})

t.test('a secret is set up in the browser that started it, once', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  const notSetUp = 'No authenticator app is set up.'
  t.match((await browser.open(`${base}/factors/totp`)).body, notSetUp)
  const thief = app.newBrowser()
  await signInWithPassword(thief)
  const { mailCode } = await startWithMail(app, browser)
  t.match((await thief.open(`${base}/factors/totp`)).body, notSetUp)
  t.equal((await postEnrollment(browser, { code: '000000', mailCode })).status, 400)
  const shared = app.newBrowser()
  await signInWithPassword(shared)
  await shared.submit(`${base}/factors/totp/start`, {})
  await createUser(app, 'grace@example.com', second)
  await signIn(shared, 'grace@example.com', second)
  t.equal(await getAddress(shared), 'grace@example.com')
  t.match((await shared.open(`${base}/factors/totp`)).body, notSetUp, 'another user')
  t.equal((await startEnrollment(browser)).status, 200)
  await enroll(app, browser)
  t.equal(await getAddress(thief), null, 'a session from before ends')
  const again = await browser.submit(`${base}/factors/totp/start`, {})
  t.equal(again.status, 400)
})

const json = { accept: 'application/json' }

t.test('every page answers in JSON', async (t) => {
  const app = await openWithFactor(t, 'database')
  const browser = app.newBrowser()
  await signInWithPassword(browser)
  const verify = await browser.json<{ interruptions: string[] }>(`${base}/verify`)
  t.same(verify.interruptions, ['factor'])
  t.match(await browser.json(`${base}/verify/factor`), {
    screen: 'factors/challenge',
    props: {
      methods: ['totp', 'recovery-code'],
      mail: 'none',
      passkeyOptions: null,
      digits: 6,
      trustDays: 30,
      problem: null
    },
    csrfToken: String
  })
  const refused = await browser.submit(`${base}/verify/factor`, { code: '1' }, { headers: json })
  t.match(refused.json(), { props: { problem: 'codeWrong' } })
  await browser.submit(`${base}/verify/factor`, { code: app.app.code() }, { headers: json })
  t.match(await browser.json(`${base}/factors`), {
    screen: 'factors/factors',
    props: { totp: { createdAt: String }, recoveryCodes: 10, areFew: false, needsCode: true, startAction: null }
  })
  const left = [...app.recoveryCodes]
  app.clock.advance(31)
  const renewed = await browser.submit(`${base}/factors/recovery-codes`, { code: left.pop() ?? '' }, { headers: json })
  const codes: readonly string[] = renewed.json<{ props: { codes: string[] } }>().props.codes
  t.equal(codes.length, 10)
  const required = await openApplication(t, 'jwt', { secondFactor: { required: true, issuer: 'Example' } })
  const grace = await createUser(required, 'grace@example.com')
  t.match(await grace.json(`${base}/verify/enroll`), {
    screen: 'factors/enroll',
    props: {
      key: { text: String, url: /^otpauth:\/\/totp\/Example:grace%40example.com\?/ },
      mail: 'none',
      isRequired: true
    }
  })
})

t.test('support staff resets the second factor of a user', async (t) => {
  const app = await openWithFactor(t, 'database')
  const { auth, userId, adapter, browser, newBrowser, mailbox } = app
  const pending = newBrowser()
  await signInWithPassword(pending)
  await auth.features.factors.reset(userId, { actor: 'staff-7' })
  t.same(await auth.features.factors.list(userId), [])
  t.equal(await getAddress(browser), null)
  t.match((await answer(pending, { code: app.app.code() })).location, /error=Callback/)
  t.match(mailbox.last().subject, 'was reset')
  t.equal((await signInWithPassword(newBrowser())).location, origin)
  const events = (await adapter.listEvents?.({ userId, limit: 100 })) ?? []
  t.match(
    events.find(({ type }) => type === 'factor-reset'),
    { userId, data: 'staff-7' }
  )
  t.notMatch(JSON.stringify(events), new RegExp(app.recoveryCodes.join('|')))
  const exported = JSON.stringify(await auth.exportUser(userId))
  t.match(exported, /"factors":\[\]/)
})

t.test('a missing key is an outage, never a wrong code or no factor', async (t) => {
  const adapter = memoryAdapter()
  const app = await openWithFactor(t, 'database', { adapter })
  const rotated = createPostern({
    url: origin,
    secret: 'another secret of the tests, 32 characters or more',
    adapter,
    session: { strategy: 'database' },
    providers: [],
    runtime: { now: app.clock.now },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    features: [
      secondFactor(),
      {
        id: 'own',
        setup: () => ({
          routes: [
            {
              method: 'GET',
              path: '/own',
              access: 'anyone',
              run: async (request) => {
                await rotated.signIn(request, app.userId)
                throw new Error('nobody may be signed in')
              }
            }
          ]
        })
      }
    ]
  })
  t.teardown(rotated.close)
  const browser = createBrowser({ origin, send: fromFetch(rotated.fetch), clock: app.clock })
  t.equal((await browser.open(`${base}/own`)).status, 503)
  await rotated.features.factors.reset(app.userId)
  const left = (await adapter.listFactors?.(app.userId)) ?? []
  t.same(
    left.map(({ type }) => type),
    ['password'],
    'a reset needs no key'
  )
})

const answerByPasskey = async (
  browser: Browser,
  authenticator: ReturnType<typeof createAuthenticator>,
  changes: Changes = {}
): Promise<BrowserResponse> => {
  const page = await browser.open(`${base}/verify/factor`)
  return answer(browser, { credential: authenticator.get(readOptions<RequestOptions>(page), changes) })
}

t.test('a passkey that verifies the user is a second factor, for its user only', async (t) => {
  const app = await openWithFactor(t, 'database')
  const authenticator = createAuthenticator({ origin })
  await signInWithPassword(app.browser)
  await answer(app.browser, { code: app.app.code() })
  await addPasskey(app.browser, authenticator)
  const browser = app.newBrowser()
  await signInWithPassword(browser)
  const page = await browser.open(`${base}/verify/factor`)
  t.match(readOptions<object>(page), {
    userVerification: 'required',
    allowCredentials: [{ id: authenticator.passkeys[0]?.id }]
  })
  t.equal((await answerByPasskey(browser, authenticator, { isUserVerified: false })).status, 400)
  const grace = await createUser(app, 'grace@example.com')
  const foreign = createAuthenticator({ origin })
  await addPasskey(grace, foreign)
  t.equal((await answerByPasskey(browser, foreign)).status, 400)
  const credential = authenticator.get(readOptions<RequestOptions>(page))
  t.equal((await answer(browser, { credential, trust: 'yes' })).location, origin)
  t.same((await getAuthentication(app, browser))?.amr, ['pwd', 'swk', 'mfa'])
  const again = app.newBrowser()
  await signInWithPassword(again)
  t.equal((await answer(again, { credential })).status, 400, 'a challenge is used once, in its browser')
})

t.test('the user handle of a passkey as second factor is optional, and compared if it is there', async (t) => {
  const app = await openWithFactor(t, 'database')
  const authenticator = createAuthenticator({ origin })
  await signInWithPassword(app.browser)
  await answer(app.browser, { code: app.app.code() })
  await addPasskey(app.browser, authenticator)
  const own = authenticator.passkeys[0]?.handle ?? ''
  const handles: readonly (readonly [title: string, handle: unknown, isAccepted: boolean])[] = [
    [
      'absent, as from Android and of passkeys across devices (teamhanko/hanko#153, Laragear/WebAuthn#59)',
      undefined,
      true
    ],
    ['null, as of a YubiKey (web-auth/webauthn-framework#362)', null, true],
    ['empty, as Safari writes null (Yubico/java-webauthn-server#327, tweag/webauthn#147)', '', true],
    ['empty, as from Android (passwordless-lib/fido2-net-lib#449, DarkGhostHunter/Larapass#35)', '', true],
    ['of the owner', own, true],
    ['of another user', 'AAAA', false],
    ['with padding', `${own}=`, false],
    ['no text', 0, false],
    ['a list of nothing', [], false]
  ]
  for (const [title, userHandle, isAccepted] of handles) {
    const browser = app.newBrowser()
    await signInWithPassword(browser)
    const page = await browser.open(`${base}/verify/factor`)
    const { response, ...others } = JSON.parse(authenticator.get(readOptions<RequestOptions>(page)))
    const credential = JSON.stringify({ ...others, response: { ...response, userHandle } })
    const { status, location } = await answer(browser, { credential })
    t.equal(status, isAccepted ? 302 : 400, title)
    t.equal(location, isAccepted ? origin : null, title)
  }
  const browser = app.newBrowser()
  await signInWithPassword(browser)
  const changed = await answerByPasskey(browser, authenticator, { isBackupEligible: false })
  t.equal(changed.status, 400)
  t.match(changed.body, 'add it again')
})

t.test('with a policy a passkey is asked for; without one it is a way to sign in', async (t) => {
  let isRequired = false
  const app = await openApplication(t, 'database', { secondFactor: { required: () => isRequired } })
  const browser = await createUser(app)
  const authenticator = createAuthenticator({ origin })
  await addFactorPasskey(app, browser, authenticator)
  t.equal((await signInWithPassword(browser)).location, origin)
  isRequired = true
  const other = app.newBrowser()
  await signInWithPassword(other)
  t.equal((await other.open(`${base}/verify`)).location, `${origin}${base}/verify/factor`, 'nothing is enrolled')
  t.equal((await answerByPasskey(other, authenticator)).location, origin)

  const [known] = await app.auth.features.passkey.list((await app.adapter.getUserByEmail?.(ada))?.id ?? '')
  const path = `${base}/passkeys/${known?.id}/remove`
  t.match((await browser.submit(path, {})).location, /\/verify\?.*amr=mfa/, 'one factor does not remove another')
  const renewed = await other.submit(`${base}/factors/recovery-codes`, {})
  t.equal(getRecoveryCodes(renewed).length, 10)
  t.match((await browser.submit(`${base}/factors/recovery-codes`, {})).location, /\/verify\?.*amr=mfa/)
  t.equal((await other.submit(path, {})).location, `${origin}${base}/passkeys`)

  const next = app.newBrowser()
  await signInByMail(next, ada, app.mailbox)
  const page = await next.follow(await next.open(`${base}/verify`))
  t.equal(page.url, `${origin}${base}/verify/enroll`, 'nothing is left but recovery codes')
  await next.submit(`${base}/verify/enroll`, { code: createApp(getKey(page), app.clock.now).code() })
  t.equal((await next.submit(`${base}/verify/enroll`, { saved: 'yes' })).location, origin)
  t.equal(await getAddress(next), ada)
})

t.test('mistakes of the application are errors at start, or refuse', async (t) => {
  const { updateFactor: _, ...adapter } = memoryAdapter()
  await t.rejects(openApplication(t, 'database', { adapter }), { message: /features\.factors.*updateFactor/s })
  const start = (options: object) => openApplication(t, 'database', { secondFactor: options })
  await t.rejects(start({ required: 'yes' }), { message: /features\.factors\.required/ })
  await t.rejects(start({ trustDeviceFor: -1 }), { message: /features\.factors\.trustDeviceFor/ })
  await t.rejects(start({ satisfiedBy: true }), { message: /features\.factors\.satisfiedBy/ })
  const create = (required: boolean) =>
    createPostern({
      url: origin,
      secret: 'a secret of the tests, 32 characters or more',
      adapter: memoryAdapter(),
      providers: [],
      features: [secondFactor({ required }), accountPages()]
    })
  t.throws(() => create(true), { message: /mail/ })
  await create(false).close()
  for (const required of [
    () => Promise.reject(new Error('a mistake')),
    () => 'no' as never,
    () => undefined as never
  ]) {
    let isBroken = false
    const app = await openApplication(t, 'jwt', { secondFactor: { required: () => isBroken && required() } })
    await createUser(app)
    isBroken = true
    const browser = app.newBrowser()
    t.match((await signIn(browser, ada, first)).location, /error=/)
    t.equal(await getAddress(browser), null)
  }
})

const eve = 'eve@example.com'
const factorPage = `${base}/verify/factor`
const enrollPage = `${base}/verify/enroll`

t.test('who has only the mailbox guesses no more codes than who has only the password', async (t) => {
  const stage = await openAda(t)
  for (let count = 0; count < 30; count++) {
    const typed = { code: stage.app.wrongCode(), device: null, hasOtherProof: false }
    t.equal(await verifyTotp(stage.userId, typed, stage.context), 'wrong')
    stage.clock.advance(200)
  }
  const thief = stage.newBrowser()
  await forget(thief, ada)
  await openLink(thief, stage.mailbox.last(), { password: second })
  const guess = async (code: string): Promise<BrowserResponse> => {
    await signIn(thief, ada, second)
    await answer(thief, { send: 'mail' })
    stage.clock.advance(1200)
    await signIn(thief, ada, second)
    await answer(thief, { send: 'mail' })
    return answer(thief, { code, mailCode: stage.mailbox.last().code })
  }
  for (let count = 0; count < 3; count++) t.match((await guess(stage.app.wrongCode())).body, 'The code is wrong')
  t.not((await guess(stage.app.code())).location, origin, 'the code is not compared')
})

const turns = turnsOf(['database', 'jwt'] as const, t)

t.test('a shorter trustDeviceFor applies to browsers that are trusted already', async (t) => {
  const stage = await openAda(t)
  const browser = await admit(stage, { trust: 'yes' })
  await browser.submit(`${base}/signout`, {})
  const next = await openBeside(t, stage, { secondFactor: { trustDeviceFor: 3600 } })
  stage.clock.advance(3700)
  t.match((await next.enter(copy(next, browser), stage.userId)).location, /\/verify/)
})

t.test('a user whose app is exhausted is only offered what they have', async (t) => {
  const stage = await openAda(t)
  const { context, userId, clock } = stage
  for (let count = 0; count < 33; count++) {
    await verifyTotp(userId, { code: stage.app.wrongCode(), device: null, hasOtherProof: true }, context)
    clock.advance(200)
  }
  const waiting = await wait(stage)
  const passkey = {
    ...{
      type: 'passkey',
      id: 'id',
      userId,
      name: 'Laptop',
      createdAt: new Date(clock.now()),
      lastUsedAt: null,
      version: 0
    },
    data: JSON.stringify({ isUserVerified: true, isOwnerProven: true, publicKey: '', counter: 0, transports: [] })
  }
  const recoveryCodes = {
    ...{ ...passkey, type: 'factors-recovery-codes', id: userId, name: null },
    data: JSON.stringify({ set: 'a', codes: [{ index: 'AB', hash: '' }] })
  }
  const cases = [
    [[], 'Sign in another way, or contact the people who run this site.'],
    [[passkey], 'Use your passkey to continue.'],
    [[recoveryCodes], 'Use a recovery code to continue.'],
    [[passkey, recoveryCodes], 'Use a passkey or a recovery code to continue.']
  ] as const
  for (const [factors, lead] of cases) {
    for (const factor of factors) await context.factors.create(factor)
    const page = await waiting.open(factorPage)
    t.equal(page.html().querySelector('p.lead')?.text, lead)
    t.match(page.html().querySelector('[role=alert]')?.text, /a code from the app is not enough\. *$/, lead)
    t.equal(page.html().querySelectorAll(`form[action="${factorPage}"]`).length, factors.length, lead)
    for (const factor of factors) await context.factors.delete(factor)
  }
})

t.test('no secret or code is logged, sent in a mail of notice, or readable in the store', async (t) => {
  const written: string[] = []
  const logged: unknown[] = []
  const log = (...line: unknown[]): void => void logged.push(line)
  const stage = await openStage(t, 'database', { logger: { error: log, warn: log, debug: log } })
  const userId = await stage.addUser(ada)
  for (const name of ['createTicket', 'createFactor', 'updateFactor', 'addEvents'] as const) {
    const call = stage.adapter[name] as (...values: readonly unknown[]) => unknown
    const watch = (...values: readonly unknown[]): unknown => {
      written.push(JSON.stringify(values))
      return call(...values)
    }
    Object.assign(stage.adapter, { [name]: watch })
  }
  const browser = stage.newBrowser()
  await stage.enter(browser, userId)
  const { app: key, form, mailCode } = await startWithMail(stage, browser)
  const text = await readKey(browser, `${base}/factors/totp`)
  const shown = await postEnrollment(browser, { code: key.code(), mailCode })
  const codes = getRecoveryCodes(shown)
  t.equal(codes.length, 10)
  for (const page of [form, shown]) t.match(page.headers['cache-control'], 'no-store')
  const secrets = [key.code(), key.wrongCode(), text, ...codes, ...codes.map((code) => code.replace('-', ''))]
  stage.clock.advance(31)
  const other = stage.newBrowser()
  await stage.enter(other, userId)
  await answer(other, { code: key.wrongCode() })
  await answer(other, { code: 'ABCDE-FGHJK' })
  await answer(other, { recoveryCode: codes[0] ?? '' })
  secrets.push(key.secret.toString('base64url'), key.secret.toString('hex'), key.secret.toString('base64'))
  const all = JSON.stringify([written, logged, stage.mailbox.mails])
  t.ok(written.length > 3)
  for (const secret of secrets) t.notOk(all.includes(secret) || all.includes(secret.replaceAll(' ', '')), secret)
})

t.test('no form of the second factor is accepted from another site', async (t) => {
  const stage = await openAda(t)
  const browser = await admit(stage)
  const pending = await wait(stage)
  const before = JSON.stringify(await stage.adapter.listFactors?.(stage.userId))
  const paths = ['factors/totp/start', 'factors/totp', 'factors/totp/remove', 'factors/recovery-codes']
  for (const path of [...paths, 'verify/factor', 'verify/enroll'])
    for (const sender of [browser, pending]) {
      const forged = await sender.post(`${base}/${path}`, `code=${stage.app.code()}&trust=yes&saved=yes`, {
        origin: 'https://evil.test',
        'sec-fetch-site': 'cross-site'
      })
      t.notMatch(forged.location, /^https:\/\/app\.test$/, path)
      const withoutToken = await sender.post(`${base}/${path}`, `code=${stage.app.code()}`, {
        origin,
        'sec-fetch-site': 'same-origin'
      })
      t.notMatch(withoutToken.location, /^https:\/\/app\.test$/, path)
    }
  t.equal(JSON.stringify(await stage.adapter.listFactors?.(stage.userId)), before)
  t.equal(await getAddress(pending), null)
  for (const path of ['factor', 'enroll']) {
    await pending.open(`${base}/verify/${path}?code=${stage.app.code()}&saved=yes`)
    t.equal(await getAddress(pending), null, 'nothing is read from the address')
  }
})

t.test('a registration that shares the store and secret accepts no ticket, trust or used code', async (t) => {
  const stage = await openAda(t)
  const trusted = await admit(stage, { trust: 'yes' })
  const other = await openBeside(t, stage, { applicationId: 'another' })
  const pending = await wait(stage)
  t.match((await answer(copy(other, pending), { code: stage.app.code() })).location, /error=Callback/)
  const there = copy(other, trusted)
  t.match((await other.enter(there, stage.userId)).location, /\/verify/, 'the browser is not trusted there')
  const code = stage.app.code()
  t.equal((await answer(there, { code })).location, origin)
  t.equal((await answer(pending, { code })).status, 400, 'the step is used')
})

t.test('guesses in every instance, in sign-ins and on the page of a session, are counted together', async (t) => {
  const stage = await openAda(t)
  const browser = await admit(stage)
  const other = await openBeside(t, stage)
  let compared = 0
  for (let count = 0; count < 18; count++) {
    const guessing = await wait(count % 2 === 0 ? stage : { ...other, userId: stage.userId, app: stage.app })
    t.match((await answer(guessing, { code: stage.app.wrongCode() })).status, 400)
    compared++
    stage.clock.advance(200)
  }
  await stage.enter(browser, stage.userId)
  await answer(browser, { code: stage.app.code() })
  const remove = `${base}/factors/totp/remove`
  for (let count = 0; count < 15; count++) {
    stage.clock.advance(40)
    t.match((await browser.submit(remove, { code: stage.app.wrongCode() })).body, 'The code is wrong')
    compared++
  }
  t.equal(compared, 33)
  stage.clock.advance(40)
  await browser.submit(remove, { code: stage.app.code() })
  t.match(await stage.auth.features.factors.list(stage.userId), [{ type: 'totp' }], 'the right code is not compared')
})

t.test('a copied ticket gives one session, and none once the sign-in is complete', async (t) => {
  const stage = await openAda(t)
  const one = await wait(stage)
  const [thief, late] = [copy(stage, one), copy(stage, one)]
  t.equal((await thief.open(`${base}/verify`)).location, `${origin}${base}/verify/factor`, 'a copy proves nothing more')
  const codes = [stage.app.code(), stage.app.code(30)]
  const both = await Promise.all([one, thief].map((browser, index) => answer(browser, { code: codes[index] ?? '' })))
  t.equal(both.filter(({ location }) => location === origin).length, 1)
  stage.clock.advance(61)
  t.match((await answer(late, { code: stage.app.code() })).location, /error=Callback/)
  t.match((await late.open(`${base}/verify`)).location, /error=Callback/)
  t.equal(await getAddress(late), null)
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: a step-up raises the session of its browser only, even of one that is trusted`, async (t) => {
    const stage = await openAda(t, strategy)
    const [one, other] = [await admit(stage, { trust: 'yes' }), await admit(stage, { trust: 'yes' })]
    for (const browser of [one, other]) {
      await browser.submit(`${base}/signout`, {})
      await stage.enter(browser, stage.userId)
      t.same((await getAuthentication(stage, browser))?.amr, ['pwd'])
    }
    const before = copy(stage, one)
    await one.open(`${base}/verify?callbackUrl=/&amr=mfa`)
    t.match((await stage.enter(one, stage.userId)).location, /\/verify/)
    t.equal((await other.open(factorPage)).location, origin, 'nothing waits for it')
    await answer(one, { code: stage.app.code() })
    t.ok((await getAuthentication(stage, one))?.amr.includes('mfa'))
    for (const browser of [other, before]) t.notOk((await getAuthentication(stage, browser))?.amr.includes('mfa'))
  })

t.test('the codes of one user are of no use at the challenge of another', async (t) => {
  const stage = await openAda(t)
  const eveId = await stage.addUser(eve)
  const own = await stage.addApp(eveId)
  const browser = await wait(stage)
  t.equal((await answer(browser, { code: own.code() })).status, 400)
  t.equal((await answer(browser, { code: own.code(), userId: eveId, email: eve })).status, 400)
  // Eve signs in with the factor of her own in the browser that waits for Ada.
  await stage.enter(browser, eveId)
  t.equal((await answer(browser, { code: own.code() })).location, origin)
  t.equal(await getAddress(browser), eve)
})

t.test('a sign-in that waits for something else is asked for a factor that was added meanwhile', async (t) => {
  const wait: Feature = {
    id: 'wait',
    setup: () => ({
      interruptions: [
        {
          id: 'wait',
          order: 900,
          isDue: ({ isStepUp, authentication }) => !isStepUp && authentication.amr.length === 0,
          show: (_signIn, request) => Promise.resolve(redirect(`${request.origin}/waiting`)),
          verify: async () => ({ kind: 'passed' })
        }
      ]
    })
  }
  const stage = await openStage(t, 'database', { features: [wait] })
  const userId = await stage.addUser(ada)
  const browser = stage.newBrowser()
  await stage.enter(browser, userId, '')
  t.equal((await browser.open(`${base}/verify`)).location, `${origin}${base}/verify/wait`)
  const app = await stage.addApp(userId)
  for (const path of ['wait', 'enroll', 'link'])
    t.not((await browser.submit(`${base}/verify/${path}`, {})).location, origin, path)
  t.equal(await getAddress(browser), null)
  t.equal((await browser.open(`${base}/verify`)).location, `${origin}${factorPage}`)
  t.match((await answer(browser, { code: app.code() })).location, /\/verify/, 'the other one is due afterwards')
  t.equal(await getAddress(browser), null)
  t.equal((await browser.submit(`${base}/verify/wait`, {})).location, origin)
  t.ok((await getAuthentication(stage, browser))?.amr.includes('mfa'))
})

t.test('a mailed code belongs to one sign-in and one user, and is used once', async (t) => {
  const stage = await openAda(t)
  const eveId = await stage.addUser(eve)
  const own = await stage.addApp(eveId)
  for (const [userId, app] of [
    [stage.userId, stage.app],
    [eveId, own]
  ] as const)
    for (let count = 0; count < 30; count++) {
      await verifyTotp(userId, { code: app.wrongCode(), device: null, hasOtherProof: false }, stage.context)
      stage.clock.advance(200)
    }
  const [one, other, foreign] = [await wait(stage), await wait(stage), stage.newBrowser()]
  await stage.enter(foreign, eveId)
  for (const browser of [foreign, other, one]) await answer(browser, { send: 'mail' })
  const mailCode = stage.mailbox.last().code
  t.equal((await answer(foreign, { code: own.code(), mailCode })).status, 400)
  t.equal((await answer(other, { code: stage.app.code(), mailCode })).status, 400)
  t.equal((await answer(one, { code: stage.app.code(), mailCode })).location, origin)
  stage.clock.advance(31)
  await stage.enter(one, stage.userId)
  t.not((await answer(one, { code: stage.app.code(), mailCode })).location, origin, 'not in the next sign-in')
})

t.test('satisfiedBy raises no session, and removes no factor', async (t) => {
  const stage = await openAda(t, 'database', { secondFactor: { satisfiedBy: () => true } })
  const browser = stage.newBrowser()
  t.equal((await stage.enter(browser, stage.userId)).location, origin)
  t.same((await getAuthentication(stage, browser))?.amr, ['pwd'])
  await browser.submit(`${base}/factors/totp/remove`, {})
  await browser.submit(`${base}/factors/totp/start`, {})
  t.match(await stage.auth.features.factors.list(stage.userId), [{ type: 'totp' }])
})

t.test('a passkey challenge of one sign-in is of no use in the next, or to sign in with', async (t) => {
  const stage = await openAda(t)
  const browser = await admit(stage)
  const authenticator = createAuthenticator({ origin })
  await addPasskey(browser, authenticator)
  const pending = await wait(stage)
  const credential = authenticator.get(readOptions<RequestOptions>(await pending.open(factorPage)))
  const alone = await copy(stage, pending).submit(`${base}/callback/passkey`, { credential })
  t.match(alone.location, /error=/)
  const options = await pending.json<RequestOptions>(`${base}/passkey/options`)
  t.equal((await answer(pending, { credential: authenticator.get(options) })).status, 400, 'one to sign in with')
  t.equal((await answer(pending, { credential })).location, origin)
})

t.test('clients that ask for JSON get 401, and the application gets pending', async (t) => {
  const stage = await openAda(t)
  const browser = stage.newBrowser()
  await browser.submit(`${base}/signin/email`, { email: ada })
  const { code } = stage.mailbox.last()
  const started = await browser.submit(`${base}/callback/email`, { code, json: 'true' })
  t.equal(started.status, 401)
  t.match(started.json(), { url: /\/verify\?error=SecondFactorRequired$/ })
  t.equal((await answer(browser, { code: stage.app.wrongCode(), json: 'true' })).status, 400)
  t.equal(await getAddress(browser), null)
  const done = await answer(browser, { code: stage.app.code(), json: 'true' })
  t.equal(done.status, 200)
  t.equal(await getAddress(browser), ada)
  await wait(stage)
  t.equal(stage.outcomes.at(-1), 'pending')
})

t.test('an account that is moved to another user while the sign-in waits signs nobody in', async (t) => {
  let isRequired = false
  const clock = { now: () => stage?.clock.now() ?? 0 }
  const issuer = createIssuer({ redirectUris: [`${origin}${base}/callback/demo`], clock })
  const demo: OAuthConfig = {
    ...{ id: 'demo', name: 'Demo', type: 'oidc', issuer: issuer.issuer },
    ...{ clientId: issuer.clientId, clientSecret: issuer.clientSecret ?? '' },
    authorization: { params: { scope: 'openid email' } },
    hooks: { isEmailAuthority: () => true }
  }
  let stage: AdaStage | null = null
  stage = await openAda(t, 'database', {
    providers: [demo],
    runtime: { fetch: issuer.fetch },
    secondFactor: { required: () => isRequired }
  })
  const { adapter, userId, app, newBrowser } = stage
  const eveId = await stage.addUser(eve)
  const own = await stage.addApp(eveId)
  const account = { type: 'oidc', provider: 'demo', providerAccountId: 'x' } as const
  const enter = async (sub: string): Promise<Browser> => {
    const browser = newBrowser()
    const { location } = await browser.submit(`${base}/signin/demo`, {})
    const callback = await issuer.authorize(location ?? '', { sub, email: 'x@example.com', email_verified: true })
    await browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
    return browser
  }
  await adapter.linkAccount?.({ ...account, userId: eveId } as never)
  const pending = await enter('x')
  await adapter.unlinkAccount?.(account as never)
  await adapter.linkAccount?.({ ...account, userId } as never)
  for (const code of [own.code(), app.code()]) t.not((await answer(pending, { code })).location, origin)
  t.equal(await getAddress(pending), null)

  isRequired = true
  const fresh = await enter('y')
  const key = createApp(getKey(await fresh.open(enrollPage)), clock.now)
  await fresh.submit(enrollPage, { code: key.code() })
  await adapter.linkAccount?.({ ...account, providerAccountId: 'y', userId } as never)
  t.not((await fresh.submit(enrollPage, { saved: 'yes' })).location, origin)
  t.equal(await getAddress(fresh), null)
  t.equal((await adapter.listFactors?.(userId))?.length, 1, 'the factor of the owner stays alone')
})

t.test('a reset ends an enrollment that waits to be saved', async (t) => {
  let isRequired = false
  const stage = await openStage(t, 'database', { secondFactor: { required: () => isRequired } })
  const userId = await stage.addUser(ada)
  isRequired = true
  const next = stage.newBrowser()
  await signInByMail(next, ada, stage.mailbox)
  await next.submit(enrollPage, { code: createApp(getKey(await next.open(enrollPage)), stage.clock.now).code() })
  await stage.auth.features.factors.reset(userId)
  t.match((await next.submit(enrollPage, { saved: 'yes' })).location, /error=Callback/)
  t.same(await stage.auth.features.factors.list(userId), [])
  t.equal(await getAddress(next), null)
})
