import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  addPasskey,
  getAuthentication,
  openApplication as openWithPasskeys,
  readOptions,
  signInWithPasskey,
  strategies
} from './passkey-application.ts'
import { signUpWithPasskey } from './passkey-sign-up-application.ts'
import { ada, createUser, openLink, origin, signIn } from './password-application.ts'
import {
  type Application,
  addFactorPasskey,
  base,
  enroll,
  first,
  openWithMailedCode
} from './second-factor-application.ts'
import { copy, openBeside, openStage, type Stage } from './second-factor-stage.ts'
import { type CreationOptions, createAuthenticator } from './software-authenticator.ts'

const path = `${base}/passkeys`

/** The options for a new passkey, as a script of the application loads them. */
async function loadOptions(browser: Browser): Promise<CreationOptions> {
  const { body } = await browser.submit(`${path}/options`, {})
  const { options }: { readonly options: CreationOptions } = JSON.parse(body)
  return options
}

/** A browser in which a user has signed in by the first factor. */
async function enter(stage: Stage, userId: string): Promise<Browser> {
  const browser = stage.newBrowser()
  await stage.enter(browser, userId)
  return browser
}

/** What a sign-in with a passkey proves. */
async function getAmr(app: Application, authenticator: ReturnType<typeof createAuthenticator>) {
  const browser = app.newBrowser()
  await signInWithPasskey(browser, authenticator)
  return (await getAuthentication(app, browser))?.amr ?? null
}

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`${strategy}: a thief of the password of a user without a factor gets no mfa with their own passkey`, async (t) => {
    const stage = await openStage(t, strategy)
    const userId = await stage.addUser(ada)
    const own = createAuthenticator({ origin })
    const thief = await enter(stage, userId)
    await addPasskey(thief, own)
    t.same(await getAmr(stage, own), ['swk'], 'it signs in as one factor')

    const owner = await enter(stage, userId)
    await owner.open(`${base}/verify?callbackUrl=/&amr=mfa`)
    await stage.enter(owner, userId)
    t.equal(
      (await owner.open(`${base}/verify`)).location,
      `${origin}${base}/verify/enroll`,
      'the owner is not asked for it'
    )

    const other = await enter(stage, userId)
    const authenticator = createAuthenticator({ origin })
    await addFactorPasskey(stage, other, authenticator)
    t.same(await getAmr(stage, authenticator), ['swk', 'mfa'], 'it hinders no passkey of the owner')
    await signInWithPasskey(other, authenticator)
    await enroll(stage, other)
    t.equal(await getAmr(stage, own), null, 'the app of the owner is asked for')
    t.same(await getAmr(stage, authenticator), ['swk', 'mfa'])
  })

t.test('a mailed code makes one passkey of one user a second factor, in the browser that asked for it', async (t) => {
  const stage = await openStage(t)
  const userId = await stage.addUser(ada)
  const browser = await enter(stage, userId)
  const shown = await browser.open(path)
  t.match(shown.body, 'Send code by email')
  t.equal(stage.mailbox.mails.length, 0, 'a page view sends nothing')
  await browser.fill(shown, `${path}/code`)
  const { to, code, text } = stage.mailbox.last()
  t.equal(to, ada)
  t.match(text, 'a passkey')
  t.notMatch((await browser.open(path)).body, 'Send code by email')

  const thief = await enter(stage, userId)
  await thief.submit(`${path}/code`, {})
  const grace = await enter(stage, await stage.addUser('grace@example.com'))
  await grace.submit(`${path}/code`, {})
  for (const [name, other] of Object.entries({ thief, grace, unsent: await enter(stage, userId) })) {
    const credential = createAuthenticator({ origin }).create(await loadOptions(other))
    const refused = await other.submit(path, { credential, mailCode: code })
    t.equal(refused.status, 400, name)
    t.match(refused.body, /The code from the email (is wrong|no longer works)/, name)
  }
  t.same(await stage.auth.features.passkey.list(userId), [], 'a wrong code adds nothing')

  const authenticator = createAuthenticator({ origin })
  const credential = authenticator.create(await loadOptions(browser))
  const added = await browser.submit(path, { credential, mailCode: ` ${code.toLowerCase()} ` })
  t.equal(added.location, `${origin}${path}`)
  t.same(await getAmr(stage, authenticator), ['swk', 'mfa'])
  t.equal(readOptions(await browser.open(path)), null, 'another passkey needs a session with mfa')
  t.match((await browser.submit(path, { credential: '{}', mailCode: code })).location, /\/verify\?.*amr=mfa/)
})

t.test('of two requests with one code, one adds a second factor', async (t) => {
  const stage = await openStage(t)
  const userId = await stage.addUser(ada)
  const browser = await enter(stage, userId)
  await browser.submit(`${path}/code`, {})
  const mailCode = stage.mailbox.last().code
  const credentials: string[] = []
  for (let count = 1; count <= 2; count++)
    credentials.push(createAuthenticator({ origin }).create(await loadOptions(browser)))
  const responses = await Promise.all(credentials.map((credential) => browser.submit(path, { credential, mailCode })))
  t.same(responses.map(({ status }) => status).toSorted(), [302, 400])
})

const codeForm = 'form:has(input[name=mailCode])'

t.test('the page verifies the mailed code before it creates a passkey', async (t) => {
  const stage = await openStage(t)
  const userId = await stage.addUser(ada)
  const browser = await enter(stage, userId)
  const sent = await browser.follow(await browser.fill(await browser.open(path), `${path}/code`))
  t.match(sent.body, 'A code was sent to you by email.')
  t.match(sent.body, 'Send another code')
  t.notMatch(sent.body, 'first get a code')
  t.equal(readOptions(sent), null, 'no options before the code')
  for (let count = 1; count <= 4; count++) {
    const wrong = await browser.fill(sent, codeForm, { mailCode: 'BBBBBBBB' })
    t.equal(wrong.status, 400)
    t.match(wrong.body, 'The code from the email is wrong')
    t.equal(readOptions(wrong), null, 'none after a wrong code')
  }
  const mailCode = stage.mailbox.last().code
  const page = await browser.follow(await browser.fill(sent, codeForm, { mailCode }))
  const authenticator = createAuthenticator({ origin })
  const credential = authenticator.create(readOptions<CreationOptions>(page))
  t.equal((await browser.fill(page, path, { credential: '{}' })).status, 400, 'a refused passkey loses no code')
  const elsewhere = await enter(stage, userId)
  t.match((await elsewhere.open(path)).body, 'Send code by email', 'another session needs a code of its own')
  t.equal((await browser.submit(`${path}/code`, { mailCode })).location, `${origin}${path}`)
  t.equal((await browser.fill(page, path, { credential })).location, `${origin}${path}`)
  t.same(await getAmr(stage, authenticator), ['swk', 'mfa'])
})

t.test('of two requests after one code, one adds a second factor', async (t) => {
  const stage = await openStage(t)
  const browser = await enter(stage, await stage.addUser(ada))
  const page = await openWithMailedCode(stage, browser)
  const create = () => createAuthenticator({ origin }).create(readOptions<CreationOptions>(page))
  const credentials = [create(), create()]
  const responses = await Promise.all(credentials.map((credential) => browser.submit(path, { credential })))
  t.same(responses.map(({ status }) => status).toSorted(), [302, 400])
})

t.test('after the last wrong code the page sends another one', async (t) => {
  const stage = await openStage(t)
  const browser = await enter(stage, await stage.addUser(ada))
  const sent = await browser.follow(await browser.fill(await browser.open(path), `${path}/code`))
  const first = stage.mailbox.last().code
  let shown = sent
  for (let count = 1; count <= 6; count++) shown = await browser.submit(`${path}/code`, { mailCode: 'BBBBBBBB' })
  t.match(shown.body, 'Send code by email')
  t.equal((await browser.submit(`${path}/code`, { mailCode: first })).status, 400, 'the code has ended')
  const authenticator = createAuthenticator({ origin })
  t.equal((await addFactorPasskey(stage, browser, authenticator)).location, `${origin}${path}`)
  t.same(await getAmr(stage, authenticator), ['swk', 'mfa'])
})

t.test('what is typed after a right code is not kept', async (t) => {
  const stage = await openStage(t)
  const browser = await enter(stage, await stage.addUser(ada))
  await browser.submit(`${path}/code`, {})
  const entered = await browser.submit(`${path}/code`, { mailCode: stage.mailbox.last().code + ' '.repeat(5000) })
  const cookies = [entered.headers['set-cookie'] ?? []].flat()
  t.ok(cookies.length > 0)
  for (const cookie of cookies) t.ok(cookie.length < 4096, 'a browser keeps the cookie')
  const authenticator = createAuthenticator({ origin })
  await addPasskey(browser, authenticator)
  t.same(await getAmr(stage, authenticator), ['swk', 'mfa'])
})

t.test('a form with the right code that is sent twice loses no code, whatever was typed before', async (t) => {
  for (const wrong of [0, 4]) {
    const stage = await openStage(t)
    const browser = await enter(stage, await stage.addUser(ada))
    await browser.submit(`${path}/code`, {})
    const mailCode = stage.mailbox.last().code
    for (let count = 1; count <= wrong; count++) await browser.submit(`${path}/code`, { mailCode: 'BBBBBBBB' })
    const again = copy(stage, browser)
    for (const sent of [browser, again])
      t.equal((await sent.submit(`${path}/code`, { mailCode })).location, `${origin}${path}`)
    const authenticator = createAuthenticator({ origin })
    await addPasskey(browser, authenticator)
    t.same(await getAmr(stage, authenticator), ['swk', 'mfa'], `after ${wrong} wrong codes`)
  }
})

t.test('a code that was entered is of use once, with whichever cookie of the browser', async (t) => {
  const stage = await openStage(t)
  const userId = await stage.addUser(ada)
  const browser = await enter(stage, userId)
  await browser.submit(`${path}/code`, {})
  const mailCode = stage.mailbox.last().code
  const before = copy(stage, browser)
  await browser.submit(`${path}/code`, { mailCode })
  const entered = copy(stage, browser)
  const authenticator = createAuthenticator({ origin })
  await addPasskey(browser, authenticator)
  t.same(await getAmr(stage, authenticator), ['swk', 'mfa'])
  const [added] = await stage.auth.features.passkey.list(userId)
  await stage.context.factors.delete({ type: 'passkey', id: added?.id ?? '' })

  for (const other of [before, entered]) await stage.enter(other, userId)
  const credential = createAuthenticator({ origin }).create(await loadOptions(before))
  t.equal((await before.submit(path, { credential, mailCode })).status, 400)
  t.equal((await before.submit(`${path}/code`, { mailCode })).status, 400)
  const another = createAuthenticator({ origin })
  await addPasskey(entered, another)
  t.same(await getAmr(stage, another), ['swk'])
})

t.test('a code that was entered proves nothing for another user, or once it has ended', async (t) => {
  const ends: Readonly<Record<string, (stage: Stage, userId: string) => unknown>> = {
    'the second factor was reset': (stage, userId) => stage.auth.features.factors.reset(userId),
    'the user was suspended': async (stage, userId) => {
      await stage.auth.users.suspend(userId)
      await stage.auth.users.resume(userId)
    },
    'it was entered ten minutes ago': (stage) => stage.clock.advance(601)
  }
  for (const [name, end] of Object.entries(ends)) {
    const stage = await openStage(t)
    const userId = await stage.addUser(ada)
    const browser = await enter(stage, userId)
    await openWithMailedCode(stage, browser)
    await end(stage, userId)
    await stage.enter(browser, userId)
    const authenticator = createAuthenticator({ origin })
    await addPasskey(browser, authenticator)
    t.same(await getAmr(stage, authenticator), ['swk'], name)
  }
  const stage = await openStage(t)
  const browser = await enter(stage, await stage.addUser(ada))
  await openWithMailedCode(stage, browser)
  await stage.enter(browser, await stage.addUser('grace@example.com'))
  const authenticator = createAuthenticator({ origin })
  await addPasskey(browser, authenticator)
  t.same(await getAmr(stage, authenticator), ['swk'], 'another user signs in to the browser')
})

t.test('who needs no mailed code cancels it, and the code that was sent adds nothing', async (t) => {
  const stage = await openStage(t)
  const browser = await enter(stage, await stage.addUser(ada))
  const sent = await browser.follow(await browser.fill(await browser.open(path), `${path}/code`))
  const mailCode = stage.mailbox.last().code
  await browser.fill(sent, 'form:has(input[name=cancel])')
  t.equal((await browser.submit(`${path}/code`, { mailCode })).status, 400)
  const authenticator = createAuthenticator({ origin })
  await addPasskey(browser, authenticator)
  t.same(await getAmr(stage, authenticator), ['swk'])
})

t.test('a mailed code proves the address that it was sent to', async (t) => {
  const stage = await openStage(t)
  const userId = await stage.addUser(ada)
  const browser = await enter(stage, userId)
  const page = await openWithMailedCode(stage, browser)
  t.not(readOptions(page), null)
  await stage.adapter.updateUser?.({ id: userId, email: 'other@example.com' } as never)
  t.match((await browser.open(path)).body, 'Send code by email')
})

t.test('without an address, a passkey is one factor', async (t) => {
  const stage = await openStage(t)
  const nobody = { name: 'Ada', image: null, email: null, emailVerified: null }
  const browser = await enter(stage, (await stage.adapter.createUser?.(nobody as never))?.id ?? '')
  t.notMatch((await browser.open(path)).body, 'Send code by email')
  t.equal((await browser.submit(`${path}/code`, {})).location, `${origin}${path}`)
  t.equal(stage.mailbox.mails.length, 0)
  const authenticator = createAuthenticator({ origin })
  await addPasskey(browser, authenticator)
  t.same(await getAmr(stage, authenticator), ['swk'])
})

t.test('a passkey from before the second factor was registered is one factor, unless two factors add it', async (t) => {
  const before = await openWithPasskeys(t, 'database')
  const browser = await createUser(before)
  const authenticator = createAuthenticator({ origin })
  await addPasskey(browser, authenticator)
  t.same(await getAmr(before, authenticator), ['swk', 'mfa'])
  const after = await openBeside(t, before)
  t.same(await getAmr(after, authenticator), ['swk'])

  const owner = after.newBrowser()
  await signIn(owner, ada, first)
  const mailed = createAuthenticator({ origin })
  await addFactorPasskey(before, owner, mailed)
  const strong = after.newBrowser()
  await signInWithPasskey(strong, mailed)
  t.notMatch((await strong.open(path)).body, 'Send code by email')
  const added = createAuthenticator({ origin })
  await addPasskey(strong, added)
  t.same(await getAmr(after, added), ['swk', 'mfa'], 'a session with mfa adds another one')
})

t.test('the passkey of a sign-up is two factors: its mail has proven the owner', async (t) => {
  const stage = await openStage(t, 'database', { passkey: { signUp: true } })
  const browser = stage.newBrowser()
  const authenticator = createAuthenticator({ origin })
  await signUpWithPasskey(browser, ada, authenticator)
  await openLink(browser, stage.mailbox.last())
  t.same(await getAmr(stage, authenticator), ['swk', 'mfa'])
})

t.test('scripts send the code as JSON', async (t) => {
  const stage = await openStage(t)
  const browser = await enter(stage, await stage.addUser(ada))
  const ask = async () =>
    (await browser.submit(`${path}/options`, {}, { json: true })).json<{ options: CreationOptions; mail: string }>()
  t.equal((await ask()).mail, 'send')
  const sent = await browser.submit(`${path}/code`, { json: 'true' }, { json: true })
  t.equal(sent.status, 200)
  const { options, mail } = await ask()
  t.equal(mail, 'sent')
  const authenticator = createAuthenticator({ origin })
  const body = { credential: authenticator.create(options), json: 'true' }
  const refused = await browser.submit(path, { ...body, mailCode: 'BBBBBBBB' }, { json: true })
  t.match(refused.json(), { props: { problem: 'mailWrong', add: { mail: 'sent', sendAction: `${path}/code` } } })
  const mailCode = stage.mailbox.last().code
  t.equal((await browser.submit(path, { ...body, mailCode }, { json: true })).status, 200)
  t.same(await getAmr(stage, authenticator), ['swk', 'mfa'])
  const asked = await browser.submit(`${path}/options`, { json: 'true' }, { json: true })
  t.match([asked.status, asked.json()], [401, { url: /\/verify\?.*amr=mfa/ }])
})
