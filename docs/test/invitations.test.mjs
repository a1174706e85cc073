// The program of the page about invitations is used by an administrator, an invited person and a stranger.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBrowser, createClock, createMailbox, fromInject } from '@postern/testkit'
import t from 'tap'
import { blocks, docs, settings } from './blocks.mjs'

Object.assign(process.env, settings)
const [program] = blocks.filter(({ page, language }) => page === 'docs/invitations.md' && language === 'ts')
const folder = join(docs, 'build/invitations')
mkdirSync(folder, { recursive: true })

const origin = 'http://localhost:3000'
const [admin, grace] = ['ada@example.com', 'grace@example.com']
const [first, second] = ['a long sentence to remember', 'another sentence to remember']

/** Loads the program without its server, with the clock and the mails of the test. */
async function start(t) {
  const [clock, mailbox] = [createClock(), createMailbox()]
  const waiting = []
  const sendMail = async (...mail) => {
    await mailbox.sendMail(...mail)
    for (const resolve of waiting.splice(0)) resolve()
  }
  /** Waits for the first mail, as those of a closed sign-up are sent in the background. */
  const untilMailed = () => (mailbox.mails.length > 0 ? null : new Promise((resolve) => waiting.push(resolve)))
  globalThis.invitationTest = { now: clock.now, sendMail }
  const code = program.code
    .replace('await app.listen({ port: 3000 })', 'export { app, adapter }')
    .replace('  url: origin,\n', '  url: origin,\n  runtime: (globalThis as any).invitationTest,\n')
  const file = join(folder, 'program.mts')
  writeFileSync(file, code)
  const { app, adapter } = await import(pathToFileURL(file).href)
  t.teardown(() => app.close())
  return {
    app,
    adapter,
    clock,
    mailbox,
    untilMailed,
    newBrowser: () => createBrowser({ origin, clock, send: fromInject(app) })
  }
}

const base = '/api/auth'
const signUp = async (browser, email, password) =>
  browser.fill(await browser.open(`${base}/password/sign-up`), `${base}/password/sign-up`, { email, password })
const signIn = async (browser, email, password) =>
  browser.fill(await browser.open(`${base}/signin`), `${base}/callback/password`, { email, password })
const getAddress = async (browser) => (await browser.json(`${base}/session`)).user?.email ?? null
const invite = async (browser, email) => browser.fill(await browser.open('/invitations'), '/invitations', { email })

t.test('an administrator invites an address, whose owner joins and chooses a password', async (t) => {
  const { app, adapter, clock, mailbox, untilMailed, newBrowser } = await start(t)
  const [ada, stranger] = [newBrowser(), newBrowser()]
  t.match((await signUp(stranger, 'mallory@evil.test', first)).location, /check-mail/)
  t.match((await signUp(ada, admin, first)).location, /check-mail/)
  await untilMailed()
  await ada.fill(await ada.open(mailbox.last().url), 'form')
  t.equal(await getAddress(ada), admin)
  t.match((await stranger.open('/invitations')).location, /signin/, 'only administrators invite')

  t.equal((await invite(ada, 'nobody')).status, 400)
  t.equal((await invite(ada, 'Grace@Example.com')).status, 200)
  const earlier = mailbox.last()
  await invite(ada, grace)
  const mail = mailbox.last()
  t.match(mail, { to: grace, subject: /Your invitation/ })
  t.equal((await newBrowser().open(earlier.url)).status, 400, 'a new invitation replaces the previous one')
  t.equal(await adapter.getUserByEmail(grace), null)

  for (let count = 0; count < 2; count++) t.equal((await newBrowser().open(mail.url)).status, 200, 'a scanner')
  const invited = newBrowser()
  const joined = await invited.fill(await invited.open(mail.url), '/join')
  t.match(joined.location, `${base}/password`)
  t.equal(await getAddress(invited), grace)
  t.match((await invited.open('/invitations')).status, 403)
  t.match(
    (await invited.fill(await invited.follow(joined), `${base}/password`, { password: second })).location,
    /changed/
  )
  t.equal((await newBrowser().open(mail.url)).status, 400, 'an invitation is used once')
  const later = newBrowser()
  await signIn(later, grace, second)
  t.equal(await getAddress(later), grace)

  await invite(ada, grace)
  const again = await newBrowser().open(mailbox.last().url)
  t.equal(again.status, 200)
  const known = newBrowser()
  t.match(
    (await known.fill(await known.open(mailbox.last().url), '/join')).location,
    /signin/,
    'a user signs in as usual'
  )
  t.equal(await getAddress(known), null)

  await invite(ada, 'late@example.com')
  clock.advance(7 * 86_400 + 1)
  t.equal((await newBrowser().open(mailbox.last().url)).status, 400, 'after a week')
  await app.close()
  t.notOk(
    mailbox.mails.some(({ to }) => to === 'mallory@evil.test'),
    'a stranger gets no mail'
  )
})
