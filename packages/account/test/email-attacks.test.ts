import { mock } from 'node:test'
import { memoryAdapter } from '@postern/adapters/memory'
import type { AdapterUser } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { type Browser, createMailbox, type Mailbox } from '@postern/testkit'
import t, { type Test } from 'tap'
import {
  type AccountApplicationOptions,
  ada,
  base,
  change,
  comeBack,
  createLimiter,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  openAccountApplication,
  openLink,
  second,
  signIn,
  signInByMail,
  signUp
} from './account-application.ts'
import {
  askForEmail,
  changeEmail,
  emailPath,
  getEmail,
  getId,
  getMail,
  getToken,
  getUndoUrl,
  grace,
  isSignedIn,
  settle,
  undo,
  undoSubject
} from './email-application.ts'
import { confirm, signUpWithPasskey } from './passkey-sign-up-application.ts'
import { copy } from './second-factor-stage.ts'

const mallory = 'mallory@example.com'
const open = async (test: Test, options?: AccountApplicationOptions) => {
  const app = await openAccountApplication(test, 'database', options)
  const browser = await createUser(app)
  return { app, browser, id: await getId(app, ada) }
}

/** What a client can see of a response, apart from what is random in each. */
const describe = (response: Awaited<ReturnType<Browser['open']>>) => ({
  status: response.status,
  location: response.location,
  body: response.body.replaceAll(/value="[^"]{40,}"|[\w.+-]+@example\.com/g, ''),
  cookies: Object.keys(response.headers).toSorted()
})

t.test('a link changes nothing in another session, without a session, and for a mail scanner', async (t) => {
  const { app, browser, id } = await open(t)
  await askForEmail(browser, grace)
  const { url, code } = getMail(app, grace)
  const other = app.newBrowser()
  await signIn(other, ada, first)
  const thief = await createUser(app, mallory, second)
  const scanner = app.newBrowser()
  for (const foreign of [other, thief, scanner]) {
    const page = await foreign.open(url)
    t.equal(page.status, 403)
    t.match(page.html().querySelector('h1')?.text, 'same browser')
    t.equal((await foreign.submit(`${emailPath}/confirm`, { token: getToken(url) })).status, 403)
    t.equal((await foreign.submit(`${emailPath}/confirm`, { code })).status, 403)
  }
  t.equal(await getEmail(app, id), ada)
  await openLink(browser, { url })
  t.equal(await getEmail(app, id), grace, 'the session that has asked is not disturbed')
})

t.test('a link works once, for an hour, and for the newest change', async (t) => {
  const { app, browser, id } = await open(t)
  await askForEmail(browser, grace)
  const old = getMail(app, grace).url
  await askForEmail(browser, mallory)
  t.equal((await browser.open(old)).status, 403, 'it was replaced')
  const { url } = getMail(app, mallory)
  await openLink(browser, { url })
  t.equal(await getEmail(app, id), mallory)
  await browser.submit(emailPath, { email: ada })
  await openLink(browser, getMail(app, ada, /Confirm your new/))
  const repeated = await browser.submit(`${emailPath}/confirm`, { token: getToken(url) })
  t.match(repeated.location, /done=emailConfirmed/, 'it was used')
  t.equal(await getEmail(app, id), ada, 'and changes nothing')
  await askForEmail(browser, grace)
  app.clock.advance(3601)
  t.equal((await browser.open(getMail(app, grace).url)).status, 403, 'it has expired')
  t.equal(await getEmail(app, id), ada)
})

t.test('five codes may be typed, and then the right one is refused', async (t) => {
  const { app, browser, id } = await open(t)
  await askForEmail(browser, grace)
  const { code, url } = getMail(app, grace)
  for (let count = 0; count < 5; count++)
    t.equal((await browser.submit(`${emailPath}/confirm`, { code: 'BBBBBBBB' })).status, 400)
  await browser.submit(`${emailPath}/confirm`, { code })
  await browser.submit(`${emailPath}/confirm`, { token: getToken(url) })
  t.equal(await getEmail(app, id), ada)
})

t.test('codes that are typed at the same time count', async (t) => {
  const { app, browser, id } = await open(t)
  await askForEmail(browser, grace)
  const guesses = Array.from({ length: 12 }, (_, index) => `BCDFGHJ${'BCDFGHJKLMNP'[index]}`)
  const pages = await Promise.all(guesses.map((code) => copy(app, browser).submit(`${emailPath}/confirm`, { code })))
  t.equal(pages.filter(({ body }) => body.includes('This code is wrong')).length, 5)
  t.equal(await getEmail(app, id), ada)
})

t.test('a response does not say whether another user has an address', async (t) => {
  const { app, browser, id } = await open(t)
  await createUser(app, grace, second)
  await app.adapter.createUser?.({ name: null, image: null, email: mallory, emailVerified: null } as never)
  const seen: unknown[] = []
  for (const address of ['nobody@example.com', grace, mallory]) {
    const asked = await askForEmail(browser, address)
    const shown = await browser.follow(asked)
    const wrong = await browser.submit(`${emailPath}/confirm`, { code: 'BBBBBBBB' })
    const more = []
    for (let count = 0; count < 5; count++)
      more.push(describe(await browser.submit(`${emailPath}/confirm`, { code: 'CCCCCCCC' })))
    seen.push([asked, shown, wrong].map(describe).concat(more))
  }
  t.same(seen[1], seen[0])
  t.same(seen[2], seen[0])
  t.match(getMail(app, grace).subject, 'has an account')
  t.same(getMail(app, grace).links, [], 'the owner gets no link')
  t.equal(await getEmail(app, id), ada)
})

t.test('an address that differs in case or in its Unicode form is the same address', async (t) => {
  const { app, browser } = await open(t)
  await createUser(app, grace, second)
  const sent = app.mailbox.mails.length
  for (const same of ['ADA@EXAMPLE.COM', ' ada@example.com\t', 'ａｄａ@example.com', 'ada@ｅxample.com'])
    t.equal((await askForEmail(browser, same)).status, 400, same)
  t.equal(app.mailbox.mails.length, sent, 'no mail')
  for (const taken of ['GRACE@example.com', 'ｇrace@example.com']) {
    await askForEmail(browser, taken)
    t.match(app.mailbox.last(), { to: grace, subject: /has an account/ }, taken)
  }
  for (const invalid of [
    '',
    'x',
    'a@b',
    'a b@example.com',
    '"a"@example.com',
    'a@example.com,b@example.com',
    'аda@example.com'
  ])
    t.equal((await askForEmail(browser, invalid)).status, 400, invalid)
})

t.test('a session that is not recent, and a form without the CSRF token, change nothing', async (t) => {
  const { app, browser, id } = await open(t)
  await changeEmail(app, browser, grace)
  const url = getUndoUrl(app)
  const plain = (path: string, fields: Record<string, string>) =>
    app.auth.fetch(
      new Request(`https://app.test${path}`, {
        method: 'POST',
        headers: {
          cookie:
            browser.cookies.header({ url: new URL('https://app.test'), method: 'POST', site: 'same-origin' }) ?? ''
        },
        body: new URLSearchParams(fields)
      })
    )
  const sent = app.mailbox.mails.length
  await plain(emailPath, { email: mallory })
  t.equal(app.mailbox.mails.length, sent)
  await plain(`${emailPath}/undo`, { token: getToken(url), password: first })
  t.equal(await getEmail(app, id), grace)
  await askForEmail(browser, mallory)
  await plain(`${emailPath}/confirm`, { token: getToken(getMail(app, mallory).url) })
  t.equal(await getEmail(app, id), grace)
  app.clock.advance(601)
  t.match((await askForEmail(browser, 'other@example.com')).location, /\/verify\?/)
  t.notOk(app.mailbox.mails.some(({ to }) => to === 'other@example.com'))
})

t.test('a change that waits ends with its session, with a suspension and with another address', async (t) => {
  const { app, browser, id } = await open(t)
  await askForEmail(browser, grace)
  const { url } = getMail(app, grace)
  await app.adapter.updateUser?.({ id, email: mallory })
  t.equal((await browser.submit(`${emailPath}/confirm`, { token: getToken(url) })).status, 400)
  await app.adapter.updateUser?.({ id, email: ada })
  await app.auth.users.suspend(id)
  await app.auth.users.resume(id)
  t.equal((await browser.submit(`${emailPath}/confirm`, { token: getToken(url) })).status, 403)
  await signIn(browser, ada, first)
  t.equal((await browser.submit(`${emailPath}/confirm`, { token: getToken(url) })).status, 403)
  t.equal(await getEmail(app, id), ada)
})

t.test('an address that another user got meanwhile is refused', async (t) => {
  const { app, browser, id } = await open(t)
  await askForEmail(browser, grace)
  await createUser(app, grace, second)
  const { url } = getMail(app, grace, /new email address/)
  t.equal((await browser.submit(`${emailPath}/confirm`, { token: getToken(url) })).status, 409)
  t.equal(await getEmail(app, id), ada)
})

t.test('a change ends the links for a new password, which do not come back with the address', async (t) => {
  const { app, browser } = await open(t)
  await forget(app.newBrowser(), ada)
  const reset = app.mailbox.last()
  await changeEmail(app, browser, grace)
  await changeEmail(app, browser, ada)
  t.ok(await findUser(app, ada))
  t.equal((await app.newBrowser().open(reset.url)).html().querySelector('form'), null)
})

t.test('the thief of the mailbox that was left gets nothing', async (t) => {
  const { app, browser, id } = await open(t)
  await changeEmail(app, browser, grace)
  const url = getUndoUrl(app)
  const thief = app.newBrowser()
  t.equal((await undo(thief, url)).status, 403, 'without a proof')
  t.equal((await undo(thief, url, { password: second })).status, 403, 'with a guess')
  await signInByMail(thief, ada, app.mailbox)
  t.equal(await getAddress(thief), null, 'no sign-in by mail, and no new user')
  await forget(thief, ada)
  t.match(app.mailbox.last(), { to: ada, links: [/sign-up/] }, 'no new password')
  t.notMatch((await thief.open(url)).body, grace, 'the new address is not shown')
  const own = await createUser(app, mallory, second)
  t.equal((await undo(own, url)).status, 403, 'with the session of another user')
  t.equal((await undo(own, url, { password: second })).status, 403, 'with the password of another user')
  t.equal(await getEmail(app, id), grace)
})

t.test('the thief of the new mailbox cannot undo the change', async (t) => {
  const { app, browser, id } = await open(t)
  await changeEmail(app, browser, grace)
  const thief = app.newBrowser()
  await signInByMail(thief, grace, app.mailbox)
  t.equal(await getAddress(thief), grace)
  t.equal((await undo(thief, getUndoUrl(app))).status, 403, 'even with the link')
  t.equal((await undo(thief, `https://app.test/?token=${'x'.repeat(43)}`)).status, 400, 'without it')
  t.equal(await getEmail(app, id), grace)
})

t.test('an account or a password that was added after the change does not undo it', async (t) => {
  const { app, browser, id } = await open(t)
  await changeEmail(app, browser, grace)
  const url = getUndoUrl(app)
  const person = { sub: 'mallory', name: 'Mallory', email: mallory }
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, { link: 'true' }), person)
  await change(browser, { password: second })
  const thief = app.newBrowser()
  await comeBack(app, thief, await thief.submit(`${base}/signin/acme`, {}), person)
  t.ok(await isSignedIn(thief))
  t.equal((await undo(thief, url)).status, 403)
  const other = app.newBrowser()
  await signIn(other, grace, second)
  t.ok(await isSignedIn(other))
  t.equal((await undo(other, url)).status, 403)
  t.equal((await undo(other, url, { password: second })).status, 403)
  t.equal(await getEmail(app, id), grace)
})

t.test(
  'the owner undoes the changes of a thief who has the password, changes it, and changes the address twice',
  async (t) => {
    const { app, id } = await open(t)
    const thief = app.newBrowser()
    await signIn(thief, ada, first)
    await changeEmail(app, thief, mallory)
    const url = getUndoUrl(app)
    await change(thief, { password: second })
    app.clock.advance(1)
    await changeEmail(app, thief, 'mallory2@example.com')
    const later = getMail(app, mallory, undoSubject).url
    t.equal((await undo(app.newBrowser(), url, { password: first })).status, 200)
    t.equal(await getEmail(app, id), ada)
    t.notOk(await isSignedIn(thief))
    t.equal((await undo(app.newBrowser(), later, { password: second })).status, 400, 'the thief does not undo the undo')
    const owner = app.newBrowser()
    await signIn(owner, ada, first)
    t.ok(await isSignedIn(owner))
    t.match((await undo(owner, url, { password: first })).body, 'The change has been undone')
    t.ok(await isSignedIn(owner), 'it ends nothing the second time')
    await createUser(app, mallory, second)
    t.ok(await findUser(app, mallory), 'the addresses of the thief are free')
  }
)

t.test('passwords on the page of an undo are limited', async (t) => {
  const { app, browser, id } = await open(t, { rateLimit: { limiter: createLimiter() } })
  await changeEmail(app, browser, grace)
  const url = getUndoUrl(app)
  for (let count = 0; count < 5; count++) t.equal((await undo(app.newBrowser(), url, { password: second })).status, 403)
  const limited = await undo(app.newBrowser(), url, { password: first })
  t.equal(limited.status, 429)
  t.equal(await getEmail(app, id), grace)
})

t.test('without rate limits, a link takes twenty passwords', async (t) => {
  const { app, browser, id } = await open(t)
  await changeEmail(app, browser, grace)
  const url = getUndoUrl(app)
  await Promise.all(Array.from({ length: 20 }, () => undo(app.newBrowser(), url, { password: second })))
  t.match((await undo(app.newBrowser(), url, { password: first })).body, 'Too many')
  t.equal(await getEmail(app, id), grace)
})

t.test('an address that was left creates no user, by any way, until the undo expires', async (t) => {
  const form = credentials({
    credentials: { name: {} },
    authorize: () => ({ id: 'thief', name: 'Thief', email: ada })
  })
  const { app, browser } = await open(t, { passkey: { signUp: true }, providers: [form] })
  await changeEmail(app, browser, grace)
  const tries: readonly (readonly [string, (thief: Browser) => Promise<unknown>])[] = [
    ['email', (thief) => signInByMail(thief, ada, app.mailbox)],
    [
      'provider',
      async (thief) =>
        comeBack(app, thief, await thief.submit(`${base}/signin/acme`, {}), { sub: 'thief', name: 'Thief', email: ada })
    ],
    [
      'password',
      async (thief) => {
        await signUp(thief, ada, second)
        await openLink(thief, app.mailbox.last())
      }
    ],
    [
      'form of the application',
      async (thief) =>
        t.match(
          (await thief.submit(`${base}/callback/credentials`, { name: 'Thief' })).location,
          /error=OAuthAccountNotLinked/
        )
    ],
    [
      'passkey',
      async (thief) => {
        await signUpWithPasskey(thief, ada)
        await confirm(thief, app.mailbox.last().url)
      }
    ],
    [
      'another user',
      async (thief) => {
        await signUp(thief, mallory, second)
        await openLink(thief, app.mailbox.last())
        await askForEmail(thief, ada)
        t.match(getMail(app, ada).subject, 'has an account')
      }
    ]
  ]
  for (const [name, attempt] of tries) {
    await attempt(app.newBrowser())
    t.equal(await findUser(app, ada), null, name)
  }
  const refused = await signInByMail(app.newBrowser(), ada, app.mailbox)
  t.match(refused.location, /error=OAuthAccountNotLinked/)
  app.clock.advance(7 * 24 * 3600 + 1)
  const late = app.newBrowser()
  t.equal((await undo(late, getUndoUrl(app), { password: first })).status, 400, 'the undo has expired')
  await signInByMail(late, ada, app.mailbox)
  t.equal(await getAddress(late), ada, 'and the address is free')
})

t.test('a user who returns to an address that is reserved for them gets it', async (t) => {
  const { app, browser, id } = await open(t)
  await changeEmail(app, browser, grace)
  const early = getUndoUrl(app)
  app.clock.advance(1)
  await changeEmail(app, browser, ada)
  t.equal(await getEmail(app, id), ada)
  app.clock.advance(1)
  await changeEmail(app, browser, mallory)
  t.equal(await getEmail(app, id), mallory)
  t.equal((await undo(app.newBrowser(), early, { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
})

t.test('an address that another adapter gave away is not taken back', async (t) => {
  const { app, browser, id } = await open(t)
  await changeEmail(app, browser, grace)
  const other = await app.adapter.createUser?.({ name: null, image: null, email: ada, emailVerified: null } as never)
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 409)
  t.equal(await getEmail(app, id), grace)
  await app.auth.deleteUser(other?.id ?? '')
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200, 'the link still works')
})

t.test('deleting the user ends the undo, and frees the address', async (t) => {
  const { app, browser, id } = await open(t)
  await changeEmail(app, browser, grace)
  await app.auth.deleteUser(id)
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 400)
  await createUser(app, ada, second)
  t.ok(await findUser(app, ada))
})

t.test('a suspension ends no undo', async (t) => {
  const { app, browser, id } = await open(t)
  await changeEmail(app, browser, grace)
  await app.auth.users.suspend(id)
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
  const owner = app.newBrowser()
  await signIn(owner, ada, first)
  t.notOk(await isSignedIn(owner), 'and an undo ends no suspension')
})

t.test('a mail server that is down does not undo a change, and the notice is sent again', async (t) => {
  const mailbox = createMailbox()
  let isDown = false
  let failures = 0
  const sendMail: Mailbox['sendMail'] = async (server, message) => {
    if (!isDown) return mailbox.sendMail(server, message)
    failures++
    throw new Error('down')
  }
  const app = { ...(await openAccountApplication(t, 'database', { runtime: { sendMail } })), mailbox }
  const browser = await createUser(app)
  const id = await getId(app, ada)
  await askForEmail(browser, grace)
  const { url } = getMail(app, grace)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  isDown = true
  await openLink(browser, { url })
  await settle(() => failures === 2)
  t.equal(failures, 2, 'the notices to both addresses')
  t.equal(await getEmail(app, id), grace, 'the change stays')
  isDown = false
  mock.timers.tick(5000)
  const isSent = () => mailbox.mails.some(({ subject }) => undoSubject.test(subject))
  await settle(isSent)
  t.ok(isSent())
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
})

t.test('a process that ends during a change blocks the user for a minute, and changes nothing', async (t) => {
  const { transact: _, createUserWithAccount: _together, ...adapter } = memoryAdapter()
  let isDown = false
  const fail = () => {
    if (isDown) throw Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' })
  }
  const app = await openAccountApplication(t, 'database', {
    adapter: {
      ...adapter,
      updateUser: async (user) => {
        fail()
        return adapter.updateUser?.(user) as Promise<AdapterUser>
      },
      consumeTicket: async (key) => {
        if (key.kind === 'account.email-lock') fail()
        return adapter.consumeTicket?.(key)
      }
    }
  })
  const browser = await createUser(app)
  const id = await getId(app, ada)
  const confirmNew = async () => {
    await askForEmail(browser, grace)
    return openLink(browser, getMail(app, grace))
  }
  isDown = true
  t.equal((await confirmNew()).location, null)
  isDown = false
  t.equal(await getEmail(app, id), ada)
  t.equal((await confirmNew()).status, 409)
  app.clock.advance(61)
  await confirmNew()
  t.equal(await getEmail(app, id), grace)
  await settle(() => app.mailbox.mails.some(({ subject }) => undoSubject.test(subject)))
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
})
