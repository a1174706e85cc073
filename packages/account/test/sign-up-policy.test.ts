import { type Browser, type BrowserResponse, createMailbox } from '@postern/testkit'
import t from 'tap'
import {
  type Application,
  type ApplicationOptions,
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
  second,
  signUp
} from './password-application.ts'

const invited = 'invited@example.com'
const stranger = 'stranger@example.com'

/** A mailbox that can be waited for: these mails are sent in the background. */
function createWatchedMailbox() {
  const mailbox = createMailbox()
  const waiting: (() => void)[] = []
  const sendMail: typeof mailbox.sendMail = async (server, message) => {
    await mailbox.sendMail(server, message)
    for (const resolve of waiting.splice(0)) resolve()
  }
  const until = async (count: number): Promise<void> => {
    while (mailbox.mails.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return { mailbox, sendMail, until }
}

interface Watched extends Application {
  readonly until: (count: number) => Promise<void>
}

async function open(t: Parameters<typeof openApplication>[0], options: ApplicationOptions): Promise<Watched> {
  const { mailbox, sendMail, until } = createWatchedMailbox()
  const app = await openApplication(t, 'database', { ...options, runtime: { sendMail } })
  return { ...app, mailbox, until }
}

const onlyInvited = async (email: string): Promise<boolean> => email === invited

/** A response without what is different in every response. */
function visible({ status, headers, body, setCookies }: BrowserResponse): unknown {
  const { date: _, 'set-cookie': __, ...others } = headers
  return {
    ...{ status, others },
    body: body.replaceAll(/[0-9a-f]{64}/g, 'token').replaceAll(/[a-z]+@example.com/g, 'address'),
    cookies: setCookies.map(({ text: ___, value, expires: ____, ...rest }) => ({ ...rest, length: value.length > 0 }))
  }
}

/** What a visitor sees of a sign-up, and after it. */
async function visit({ newBrowser }: Application, address: string): Promise<unknown> {
  const browser = newBrowser()
  const asked = await signUp(browser, address, first)
  const page = await browser.open(`${base}/password/check-mail`)
  const typed = await browser.fill(page, 'form', { code: 'BBBB-BBBB' })
  return [asked, page, typed].map(visible)
}

t.test('a sign-up by invitation looks the same for everybody, and only those who may sign up get a mail', async (t) => {
  const asked: string[] = []
  const signUp = async (email: string): Promise<boolean> => {
    asked.push(email)
    return onlyInvited(email)
  }
  const app = await open(t, { password: { signUp } })
  await app.adapter.createUser?.({ email: 'known@example.com', emailVerified: new Date(0) })
  await app.adapter.createUser?.({ email: 'unverified@example.com', emailVerified: null })
  const addresses = [stranger, invited, 'known@example.com', 'unverified@example.com']
  const seen = []
  for (const address of addresses) seen.push(await visit(app, address))
  for (const each of seen) t.same(each, seen[0])
  t.same(asked, addresses, 'the function is called for every address')
  await app.auth.close()
  t.same(
    app.mailbox.mails.map(({ to }) => to),
    addresses.slice(1)
  )
})

t.test('neither a mail server that does not respond nor one that fails shows who may sign up', async (t) => {
  for (const sendMail of [() => new Promise<never>(() => undefined), () => Promise.reject(new Error('refused'))]) {
    const app = await openApplication(t, 'database', {
      password: { signUp: onlyInvited },
      runtime: { sendMail },
      constants: { mailTimeoutMilliseconds: 100 }
    })
    t.same(await visit(app, invited), await visit(app, stranger))
  }
})

t.test('a function that fails, fails for everybody', async (t) => {
  const signUp = (): boolean => {
    throw new Error('the list of invitations does not respond')
  }
  const app = await open(t, { password: { signUp } })
  await app.adapter.createUser?.({ email: 'known@example.com', emailVerified: new Date(0) })
  const page = await app.newBrowser().open(`${base}/password/sign-up`)
  t.equal(page.status, 200)
  for (const address of [stranger, 'known@example.com']) {
    const failed = await app.newBrowser().submit(`${base}/password/sign-up`, { email: address, password: first })
    t.match(failed.location, /error/, address)
  }
  await app.auth.close()
  t.same(app.mailbox.mails, [])
})

t.test('an invitation that was withdrawn before the link was opened creates no user', async (t) => {
  let isOpen: unknown = true
  const app = await open(t, { password: { signUp: async () => isOpen as boolean } })
  const browser = app.newBrowser()
  await signUp(browser, invited, first)
  await app.until(1)
  for (const answer of [false, 'true', 1, undefined]) {
    isOpen = answer
    const refused = await openLink(browser, app.mailbox.last())
    t.match(refused.location, /AccessDenied/, String(answer))
    t.equal(await findUser(app, invited), null)
  }
  isOpen = true
  await openLink(browser, app.mailbox.last())
  t.equal(await getAddress(browser), invited, 'the link is still there')
})

t.test('without a sign-up, there is neither its page nor a link to it', async (t) => {
  const app = await open(t, { password: { signUp: false } })
  const browser = app.newBrowser()
  const page = await browser.open(`${base}/signin`)
  const links = page
    .html()
    .querySelectorAll('a')
    .map((link) => link.getAttribute('href'))
  t.ok(links.some((href) => href?.includes('/password/forgot')))
  t.notOk(links.some((href) => href?.includes('sign-up')))
  for (const path of ['sign-up', 'check-mail']) t.equal((await browser.open(`${base}/password/${path}`)).status, 404)
  t.equal((await browser.submit(`${base}/password/sign-up`, { email: ada, password: first })).status, 404)
  const started = await browser.submit(`${base}/signin/password-sign-up`, { email: ada })
  t.match(started.location, /\/signin/)
  await forget(browser, ada)
  t.match(app.mailbox.last().url, /\/signin$/, 'no mail leads to it')
})

t.test('without a sign-up, a user that the application has created comes in by a mail', async (t) => {
  const app = await open(t, { password: { signUp: false } })
  const user = await app.adapter.createUser?.({ email: ada, emailVerified: null })
  const browser = app.newBrowser()
  await forget(browser, ada)
  const mail = app.mailbox.last()
  await forget(app.newBrowser(), ada)
  await openLink(browser, mail)
  t.equal(await getAddress(browser), ada)
  await app.adapter.deleteUser?.(user?.id ?? '')
  const late = await openLink(app.newBrowser(), app.mailbox.last(), { password: first })
  t.match(late.location, /AccessDenied/, 'nobody is created by the other link')
  t.equal(await findUser(app, ada), null)
})

/** The ways in which the mail of a sign-up is used in the browser that has signed up. */
const completions: Readonly<Record<string, (browser: Browser, app: Application) => Promise<BrowserResponse>>> = {
  link: (browser, { mailbox }) => openLink(browser, mailbox.last()),
  code: async (browser, { mailbox }) =>
    browser.fill(await browser.open(`${base}/password/check-mail`), 'form', {
      code: /[A-Z]{4}-[A-Z]{4}/.exec(mailbox.last().text)?.[0] ?? ''
    })
}

for (const [name, complete] of Object.entries(completions)) {
  t.test(`the password of an invited user is kept: ${name}`, async (t) => {
    const app = await open(t, {})
    const user = await app.adapter.createUser?.({ email: invited, emailVerified: null })
    await app.auth.invite(user?.id ?? '', { expiresIn: 3600 })
    const browser = app.newBrowser()
    await signUp(browser, invited, first)
    await complete(browser, app)
    t.equal(await getAddress(browser), invited)
    t.equal((await findUser(app, invited))?.id, user?.id)
    app.clock.advance(60)
    t.ok(await canSignIn(app.newBrowser(), invited, first))
  })

  t.test(`a page says that a password is not used, as the address has got a user meanwhile: ${name}`, async (t) => {
    const app = await open(t, {})
    const browser = app.newBrowser()
    await signUp(browser, ada, first)
    const mail = app.mailbox.last()
    await createUser(app, ada, second)
    const later = { ...app, mailbox: { ...app.mailbox, last: () => mail } }
    if (name === 'link') t.match((await browser.open(mail.url)).body, /password that you chose is not used/)
    const page = await complete(browser, later)
    if (name === 'code') {
      t.match(page.body, /password that you chose is not used/)
      t.equal(await getAddress(browser), null)
      await browser.fill(page, 'form')
    }
    t.equal(await getAddress(browser), ada)
    t.notOk(await canSignIn(app.newBrowser(), ada, first))
    t.ok(await canSignIn(app.newBrowser(), ada, second))
  })
}
