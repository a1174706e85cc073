import { memoryAdapter } from '@postern/adapters/memory'
import type { PosternOptions } from '@postern/core'
import { type Browser, type BrowserResponse, createMailbox } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  getSession,
  type Started,
  type StartOptions,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from './start.ts'

// They have the same length, as pages show them.
const known = 'known@example.com'
const invited = 'guest@example.com'
const stranger = 'other@example.com'
const onlyInvited = async (email: string): Promise<boolean> => email === invited

/** An application with one user, whose mails are sent in the background. */
async function open(t: Parameters<typeof start>[0], options: StartOptions): Promise<Started> {
  const mailbox = createMailbox()
  const started = await start(t, {
    rateLimit: false,
    runtime: { sendMail: mailbox.sendMail },
    instances: 1,
    ...options
  })
  await started.adapter?.createUser?.({ email: known, emailVerified: new Date(0) })
  return { ...started, mailbox }
}

/** A response without what is different in every response. */
function visible({ status, headers, body, setCookies }: BrowserResponse): unknown {
  const { date: _, 'set-cookie': __, location, ...others } = headers
  return {
    ...{ status, others, location: String(location).replace(/ref=[\w-]+/, 'ref=') },
    body: body.replaceAll(/[0-9a-f]{64}/g, 'token').replaceAll(/[a-z]+@example.com/g, 'address'),
    cookies: setCookies.map(({ text: ___, value, expires: ____, ...rest }) => ({ ...rest, length: value.length > 0 }))
  }
}

/** What a visitor sees who asks for a mail, and after it. */
async function visit({ newBrowser }: Started, email: string, json = false): Promise<unknown> {
  const browser = newBrowser()
  const asked = await browser.submit('/api/auth/signin/email', { email, ...(json && { json: 'true' }) })
  const page = await browser.open('/api/auth/verify-request?provider=email&type=email')
  const typed = await browser.submit('/api/auth/callback/email', { code: 'BBBBBBBB' })
  return [asked, page, typed].map(visible)
}

for (const json of [false, true])
  t.test(`sign-in by email for users and invited people looks the same for everybody, JSON: ${json}`, async (t) => {
    const started = await open(t, { mail: { signUp: onlyInvited } })
    const seen = []
    for (const email of [stranger, invited, known]) seen.push(await visit(started, email, json))
    for (const each of seen) t.same(each, seen[0])
    await started.app.close()
    t.same(
      started.mailbox.mails.map(({ to }) => to),
      [invited, known]
    )
  })

t.test('a closed sign-in by email sends mails to users only, by a function of the application too', async (t) => {
  const sent: string[] = []
  const sendVerificationRequest = async ({ identifier }: { identifier: string }): Promise<void> => {
    sent.push(identifier)
  }
  const started = await open(t, { mail: { signUp: false, sendVerificationRequest } })
  t.same(await visit(started, stranger), await visit(started, known))
  await started.app.close()
  t.same(sent, [known])
})

t.test('neither a mail server that does not respond nor one that fails shows who may sign up', async (t) => {
  for (const sendMail of [() => new Promise<never>(() => undefined), () => Promise.reject(new Error('refused'))]) {
    const constants = { mailTimeoutMilliseconds: 100 }
    const started = await open(t, { mail: { signUp: onlyInvited }, runtime: { sendMail }, constants })
    t.same(await visit(started, invited), await visit(started, stranger))
    await started.app.close()
    t.match(started.log.join('\n'), /BACKGROUND_TASK_ERROR/, 'the log has the failure')
  }
})

t.test('a link creates no user whose invitation was withdrawn, nor one for a user who was deleted', async (t) => {
  let isOpen = true
  const mailbox = createMailbox()
  let hasMail: () => void = () => undefined
  const sendMail: typeof mailbox.sendMail = async (...mail) => {
    await mailbox.sendMail(...mail)
    hasMail()
  }
  const options = { mail: { signUp: async () => isOpen }, runtime: { sendMail }, instances: 1 }
  const { browser, newBrowser, adapter } = await start(t, options)
  const ask = async (asking: Browser): Promise<void> => {
    const mailed = new Promise<void>((resolve) => {
      hasMail = resolve
    })
    await asking.submit('/api/auth/signin/email', { email: invited })
    await mailed
  }
  await ask(browser)
  isOpen = false
  const refused = await browser.open(mailbox.last().url)
  t.match(refused.location, /AccessDenied/)
  t.equal(await adapter?.getUserByEmail?.(invited), null)
  isOpen = true
  await browser.open(mailbox.last().url)
  t.match(await getSession(browser), { user: { email: invited } }, 'the link is still there')
  isOpen = false
  const again = newBrowser()
  await ask(again)
  await again.open(mailbox.last().url)
  t.match(await getSession(again), { user: { email: invited } }, 'a user always gets a mail')
})

/** An application that records what `isNewUser` of the callback was. */
async function record(t: Parameters<typeof start>[0], options: StartOptions = {}) {
  const asked: (boolean | undefined)[] = []
  const callbacks: PosternOptions['callbacks'] = {
    signIn: ({ isNewUser }) => {
      asked.push(isNewUser)
      return true
    }
  }
  const started = await start(t, { callbacks, linking: { signedIn: 'link' }, ...options })
  return { started, take: () => asked.splice(0) }
}

const ada = { sub: 'ada', name: 'Ada', email: 'ada@example.com', email_verified: true }

for (const { value: strategy, test } of turnsOf(['jwt', 'database'] as const, t)())
  test(`${strategy}: the signIn callback knows whether the sign-in creates a user`, async (t) => {
    const { started, take } = await record(t, { session: { strategy } })
    const { newBrowser } = started
    await signInAtIssuer(started, newBrowser(), ada)
    t.same(take(), [true], 'nobody has the account or the address')
    await signInAtIssuer(started, newBrowser(), ada)
    t.same(take(), [false], 'the account has a user')
    await signInAtIssuer(started, newBrowser(), { ...ada, sub: 'another' })
    t.same(take(), [false], 'the address has a user')
    const browser = newBrowser()
    await signInByMail(started, browser, 'grace@example.com')
    t.same(take(), [true, true], 'before the mail, and by its link')
    await signInByMail(started, newBrowser(), 'grace@example.com')
    t.same(take(), [false, false])
    await signInAtIssuer(started, browser, { ...ada, sub: 'third', email: 'third@example.com' })
    t.same(take(), [false], 'somebody is signed in')
    await signInByForm(newBrowser())
    t.same(take(), [false], 'the application names the user')
  })

t.test('without an adapter, no user is new', async (t) => {
  const { started, take } = await record(t, { store: 'none' })
  await signInAtIssuer(started, started.newBrowser(), ada)
  t.same(take(), [false])
})

t.test('without a callback, and for users, nothing more is read', async (t) => {
  const reads: string[] = []
  const stored = memoryAdapter()
  const adapter = {
    ...stored,
    getUserByEmail: async (email: string) => {
      reads.push(email)
      return (await stored.getUserByEmail?.(email)) ?? null
    },
    findUserVersion: async (by: Parameters<NonNullable<typeof stored.findUserVersion>>[0]) => {
      if ('email' in by) reads.push(by.email)
      return (await stored.findUserVersion?.(by)) ?? null
    }
  }
  const count = async (callbacks: PosternOptions['callbacks']): Promise<readonly number[]> => {
    const started = await start(t, { adapter, callbacks })
    const email = `${reads.length}@example.com`
    const counted = []
    for (let round = 0; round < 2; round++) {
      const before = reads.length
      await signInAtIssuer(started, started.newBrowser(), { ...ada, sub: email, email })
      counted.push(reads.length - before)
    }
    return counted
  }
  const [first = 0, second] = await count({})
  t.same(await count({ signIn: () => true }), [first + 1, second])
})
