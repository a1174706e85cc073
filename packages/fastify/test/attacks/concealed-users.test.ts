import email from '@postern/core/providers/email'
import type { Browser } from '@postern/testkit'
import t from 'tap'
import { getSession, mails, people, type Started, signInByMail, start } from '../start.ts'
import { address, idOf, signIn, startAccounts, vera } from './setup.ts'

const linking = { concealUsers: true }
const stranger = { sub: 'mallory', name: 'Mallory', email_verified: false }

/** What a visitor sees of a sign-in, without what differs between two requests. */
async function seen(started: Started, browser: Browser, email: string) {
  const { status, location, headers } = await signIn(started, browser, { ...stranger, sub: email, email })
  const cookies = [headers['set-cookie'] ?? []].flat().map((text) => text.replace(/=[^;]*/, ''))
  return { status, location: location?.replace(/ref=[\w-]+/, ''), cookies }
}

t.test(
  'privacy-2: a provider account with the address of a user, and one with an unknown address, get one answer',
  async (t) => {
    const started = await startAccounts(t, { linking })
    const { mailbox, newBrowser, adapter } = started
    await signInByMail(started, newBrowser(), address)
    const before = mailbox.mails.length
    const known = await seen(started, newBrowser(), address)
    const unknown = await seen(started, newBrowser(), 'nobody@example.com')
    t.same(known, unknown)
    t.match(known.location, 'error=OAuthAccountNotLinked')
    const sent = mailbox.mails.slice(before)
    t.same(
      sent.map(({ to }) => to),
      [address, 'nobody@example.com'],
      'and the owner of the address gets a mail'
    )
    t.match(sent[0]?.text, 'You already have an account')
    t.match(sent[1]?.text, 'There is no account')
    for (const { text } of sent) t.notMatch(text, 'token=')
    t.equal((await adapter?.getUserByEmail?.('nobody@example.com')) ?? null, null, 'no user is created')
    t.equal(await idOf(started, 'nobody@example.com'), null)
  }
)

t.test('the new user signs in by email, and then connects the provider', async (t) => {
  const started = await startAccounts(t, { linking })
  const { browser } = started
  await signIn(started, browser, { ...stranger, email: address })
  await signInByMail(started, browser, address)
  await signIn(started, browser, { ...stranger, email: address }, { link: 'true' })
  t.ok(await idOf(started, 'mallory'))
})

t.test('privacy-2: an address that the provider has verified signs up at once', async (t) => {
  const started = await startAccounts(t, { linking })
  await signIn(started, started.browser, vera)
  t.match(await getSession(started.browser), { user: { email: address } })
  t.equal(started.mailbox.mails.length, 0)
})

t.test('privacy-3: an attacker floods an address with notices: they count as mails to it', async (t) => {
  const limited = await startAccounts(t, { linking, rateLimit: {} })
  const counts = { known: 0, unknown: 0 }
  await signInByMail(limited, limited.newBrowser(), address)
  for (const [kind, to] of [
    ['known', address],
    ['unknown', 'nobody@example.com']
  ] as const) {
    const answers = new Set<string>()
    for (let turn = 0; turn < 8; turn++) answers.add(JSON.stringify(await seen(limited, limited.newBrowser(), to)))
    t.equal(answers.size, 1, 'the answer does not show whether a mail was sent')
    counts[kind] = limited.mailbox.mails.filter((mail) => mail.to === to).length
  }
  t.same(counts, { known: 5, unknown: 5 })
})

t.test('the mail server does not respond: the answer is the same', async (t) => {
  const started = await startAccounts(t, {
    linking,
    runtime: { sendMail: () => Promise.reject(new Error('the mail server is down')) }
  })
  await started.adapter?.createUser?.({ name: null, email: address, emailVerified: null })
  const [known, unknown] = [
    await seen(started, started.newBrowser(), address),
    await seen(started, started.newBrowser(), 'nobody@example.com')
  ]
  t.same(known, unknown)
  t.match(known.location, 'error=OAuthAccountNotLinked')
})

t.test('without the option a provider account signs up, as in next-auth', async (t) => {
  const started = await startAccounts(t)
  await signIn(started, started.browser, { ...stranger, email: address })
  t.match(await getSession(started.browser), { user: { email: address } })
})

t.test('privacy-3: the option needs a provider for email, and a server', async (t) => {
  const custom = mails({ server: undefined, sendVerificationRequest: async () => undefined })
  for (const [providers, option] of [
    [[people], 'linking.concealUsers'],
    [[custom], 'mailer']
  ] as const)
    await t.rejects(start(t, { instances: 1, linking, providers: [...providers] }), { message: option })
  const mailer = email({ server: 'smtp://mail.test', from: 'App <no-reply@app.test>' })
  await t.resolves(start(t, { instances: 1, linking, mailer, providers: [custom] }))
})
