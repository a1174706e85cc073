import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { cpuTime } from '@postern/testkit'
import { fewInTurn } from '../selections.ts'
import { cookieNames, fromAfar, getSession, origin, signInAtIssuer, signInByMail, start } from '../start.ts'
import type { Replay } from './replay.ts'

const ada = 'ada@example.com'
const bob = 'bob@example.com'

const adapters = { memory: memoryAdapter, sqlite: () => sqliteAdapter({ file: ':memory:' }) }

/** The link with other parameters. */
function altered(url: string, changes: Readonly<Record<string, string>>): string {
  const link = new URL(url)
  for (const [name, value] of Object.entries(changes)) link.searchParams.set(name, value)
  return link.href
}

const hostile: readonly string[] = [
  `${ada},${bob}`,
  `${ada};${bob}`,
  `${ada} ${bob}`,
  `<${ada}>`,
  `Ada <${ada}>`,
  `friends:${ada},${bob};`,
  `(${bob})${ada}`,
  `ada(comment)@example.com`,
  `ada@example.com(comment)`,
  `"ada@evil.test"@example.com`,
  `"ada@evil.test" ${ada}`,
  `ada@evil.test@example.com`,
  `ada\uFF20evil.test@example.com`,
  `ada@evil.test\uFE6Bexample.com`,
  `ada@example.com\r\nBcc: ${bob}`,
  `ada@example.com\nRCPT TO:<${bob}>`,
  `ada@example.com\0${bob}`,
  `ada\t@example.com`,
  `-oQ/tmp@example.com`,
  `ada@[127.0.0.1]`,
  `ada@127.0.0.1`,
  `ada@localhost`,
  `ada@exa\u00ADmple.com`,
  `ada\u200B@example.com`,
  `ad\u00E4@example.com`,
  `ada@-example.com`,
  `ada@example..com`,
  `.ada@example.com`,
  `ada.@example.com`,
  `=?utf-8?q?ada=40evil.test?=@example.com`,
  `\r\nBcc: ${bob}\r\n${ada}`,
  `ada@example.com, <a href=evil>`,
  `${'('.repeat(10_000)}${ada}`,
  `${':'.repeat(10_000)}${ada}`,
  `${'a'.repeat(65)}@example.com`,
  `ada@${'a'.repeat(64)}.com`,
  `${'a'.repeat(64)}@${'b.'.repeat(94)}com`
]

const fewAddresses = fewInTurn(6)
let hasAll = false

/** The first replay has every address, and each of the others some of them in `npm test`, the next replay the next ones. */
const refusedAddresses: Replay[2] = async (t) => {
  const { browser, mailbox, store } = await start(t, { rateLimit: false })
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const addresses = hasAll ? fewAddresses(hostile) : hostile
  hasAll = true
  for (const email of addresses) {
    const response = await browser.submit('/api/auth/signin/email', { email, csrfToken })
    t.match(response.location, /\/signin\?error=EmailSignin/, JSON.stringify(email.slice(0, 60)))
  }
  await browser.submit('/api/auth/signin/email', { 'email[]': ada })
  const csrf = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  await browser.post('/api/auth/signin/email', `${new URLSearchParams(csrf)}&email=${ada}&email=${bob}`)
  t.equal(mailbox.mails.length, 0, 'no user was sent a mail')
  t.equal(store.count('createVerificationToken'), 0, 'and nothing was stored')
}

export const email: readonly Replay[] = [
  [
    'A01',
    "a link is opened with another user's address",
    async (t) => {
      for (const [name, adapter] of Object.entries(adapters)) {
        const { browser, mailbox } = await start(t, { adapter: adapter(), mail: { confirm: 'never' } })
        await browser.submit('/api/auth/signin/email', { email: ada })
        const { url } = mailbox.last()
        const opened = await browser.open(altered(url, { email: bob }))
        t.match(opened.location, /error=Verification/, name)
        t.same(await getSession(browser), {}, `${name}: no user is signed in`)
        await browser.open(url)
        t.equal((await getSession(browser)).user?.email, ada, `${name}: the link is not burnt`)
      }
    }
  ],
  [
    'A02',
    'the right address with a separate token',
    async (t) => {
      for (const [name, adapter] of Object.entries(adapters)) {
        const { browser, mailbox } = await start(t, { adapter: adapter(), mail: { confirm: 'never' } })
        await browser.submit('/api/auth/signin/email', { email: ada })
        for (const token of ['f'.repeat(64), '', '%00', 'null', mailbox.last().url]) {
          const opened = await browser.open(altered(mailbox.last().url, { token }))
          t.match(opened.location, /error=Verification/, `${name}: ${token.slice(0, 8)}`)
        }
        t.same(await getSession(browser), {}, `${name}: no user is signed in`)
      }
    }
  ],
  [
    'A06',
    'an address, or the name of the application, brings HTML into the mail',
    async (t) => {
      const { browser, mailbox } = await start(t, { theme: { name: '<img src=x onerror=alert(1)>' } })
      await browser.submit('/api/auth/signin/email', { email: `${ada}, <a href=https://evil.test>` })
      t.equal(mailbox.mails.length, 0)
      await browser.submit('/api/auth/signin/email', { email: "<b>'&@example.com" })
      t.equal(mailbox.mails.length, 0)
      await browser.submit('/api/auth/signin/email', { email: "o'hara&co@example.com" })
      const { html } = mailbox.last()
      t.notMatch(html, /<img|o'hara&co/, 'what is shown is escaped')
    }
  ],
  ['A08', 'one identifier, two recipients', refusedAddresses],
  ['A11', 'a quoted local part that holds another address', refusedAddresses],
  [
    'A12',
    'letters that become @ and dots when they are normalized',
    async (t) => {
      const { browser, mailbox, store } = await start(t, { rateLimit: false })
      for (const email of [
        'ada\uFF20example.com',
        'ada\uFE6Bexample\uFF0Ecom',
        'ada@example\u2024com',
        'ada@example\u3002com',
        '\uFF41da@example.com'
      ]) {
        await browser.submit('/api/auth/signin/email', { email })
        t.equal(mailbox.last().to, ada, `${JSON.stringify(email)} is normalized before it is checked`)
      }
      const rows = store.calls.filter(({ method }) => method === 'createVerificationToken')
      const identifiers = rows.map(({ args: [row] }) => (row as { identifier: string }).identifier)
      t.ok(identifiers.filter((identifier) => !identifier.startsWith('postern code')).every((text) => text === ada))
      const sent = mailbox.mails.length
      for (const email of ['ada\uFF20evil.test@example.com', 'ada@exa\u00ADmple.com', 'ad\u200Ba@example.com']) {
        const response = await browser.submit('/api/auth/signin/email', { email })
        t.match(response.location, /error=EmailSignin/, JSON.stringify(email))
      }
      t.equal(mailbox.mails.length, sent)
    }
  ],
  [
    'A33',
    'an account that a stranger made before its owner proved the address',
    async (t) => {
      const started = await start(t, { session: { strategy: 'database' } })
      const { browser, newBrowser, adapter } = started
      await signInAtIssuer(started, browser, { sub: 'mallory', name: 'Mallory', email: ada, email_verified: false })
      t.equal((await getSession(browser)).user?.email, ada, 'the stranger sits in an account of that address')
      const owner = newBrowser()
      await signInByMail(started, owner, ada)
      t.equal((await getSession(owner)).user?.email, ada)
      t.same(await getSession(browser), {}, "the stranger's session has ended")
      const user = await adapter?.getUserByEmail?.(ada)
      t.same(await adapter?.getAccounts?.(user?.id ?? ''), [], "and the stranger's sign-in method no longer exists")
    }
  ],
  [
    'A34',
    'one link is opened fifty times at once',
    async (t) => {
      const { newBrowser, mailbox, store, browser } = await start(t, {
        session: { strategy: 'database' },
        mail: { confirm: 'never' }
      })
      await browser.submit('/api/auth/signin/email', { email: ada })
      const { url } = mailbox.last()
      const responses = await Promise.all(Array.from({ length: 50 }, () => newBrowser().open(url)))
      t.equal(responses.filter(({ location }) => location === origin).length, 1)
      t.equal(store.count('createSession'), 1)
    }
  ],
  [
    'A35',
    'what was issued for one purpose is redeemed for another',
    async (t) => {
      const started = await start(t, { mail: { confirm: 'never' }, rateLimit: false })
      const { browser, mailbox, store } = started
      const firstResponse = await browser.submit('/api/auth/signin/demo', {})
      await browser.submit('/api/auth/signin/email', { email: ada })
      const state = new URL(firstResponse.location ?? '').searchParams.get('state') ?? ''
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      const { url, code } = mailbox.last()
      const rows = store.calls
        .filter(({ method }) => method === 'createVerificationToken')
        .map(({ args: [row] }) => row as { identifier: string; token: string })
      t.equal(rows.length, 2, 'a row for the link and one for the tries of the code')
      const tokens = [
        state,
        csrfToken,
        code,
        ...rows.map(({ token }) => token),
        ...Object.values(cookieNames).map((name) => browser.cookies.get(name) ?? name)
      ]
      for (const token of tokens) {
        for (const email of [ada, ...rows.map(({ identifier }) => identifier)]) {
          await browser.open(altered(url, { token, email }))
          t.same(await getSession(browser), {}, `${token.slice(0, 12)} as the token of a link`)
        }
      }
      const token = new URL(url).searchParams.get('token') ?? ''
      for (const other of [token, csrfToken, code]) {
        await browser.open(`/api/auth/callback/demo?code=1&state=${other}`)
        t.same(await getSession(browser), {}, `${other.slice(0, 12)} as a state`)
      }
      await browser.open(url)
      t.equal((await getSession(browser)).user?.email, ada, 'the link itself still works')
    }
  ],
  [
    'A39',
    "a user who is signed in opens another person's link",
    async (t) => {
      const started = await start(t, { session: { strategy: 'database' } })
      const { browser, newBrowser, mailbox } = started
      await signInByMail(started, browser, ada)
      const other = newBrowser()
      await other.submit('/api/auth/signin/email', { email: bob })
      const page = await browser.open(mailbox.last().url, { headers: fromAfar })
      t.equal(page.status, 200)
      t.match(page.body.replaceAll('\u200b', ''), bob, 'the page shows the owner of the link')
      t.equal((await getSession(browser)).user?.email, ada, 'nothing has changed')
      await browser.fill(page, '/api/auth/callback/email')
      t.equal((await getSession(browser)).user?.email, bob, 'until the visitor agrees')
    }
  ],
  [
    'A46',
    'headers of the request choose the host of the mailed link',
    async (t) => {
      const { browser, mailbox } = await start(t, { rateLimit: false })
      const headers = [
        { host: 'evil.test' },
        { 'x-forwarded-host': 'evil.test' },
        { 'x-forwarded-proto': 'http' },
        { forwarded: 'host=evil.test;proto=http' },
        { 'x-original-host': 'evil.test' },
        { 'x-host': 'evil.test' },
        { 'x-forwarded-server': 'evil.test' },
        { referer: 'https://evil.test/' }
      ]
      for (const header of headers) {
        await browser.submit('/api/auth/signin/email', { email: ada }, { headers: header })
        t.ok(mailbox.last().url.startsWith(`${origin}/api/auth/callback/email?`), JSON.stringify(header))
      }
      t.equal(mailbox.mails.length, headers.length)
      await browser.submit(
        '/api/auth/signin/email',
        { email: ada },
        { headers: { origin: 'https://evil.test', 'sec-fetch-site': null } }
      )
      t.equal(mailbox.mails.length, headers.length, 'and a form of another origin sends nothing')
    }
  ],
  ['A80', 'a recipient that reads as an option of a command', refusedAddresses],
  ['A81', 'line ends and NUL in an address', refusedAddresses],
  [
    'A82',
    'long addresses that take a parser long',
    async (t) => {
      const { browser, mailbox } = await start(t, { rateLimit: false })
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      for (const part of ['a', '.', '@', '(', '<', '"', ' ', 'a@', 'a,']) {
        const email = part.repeat(48_000 / part.length)
        const signIn = cpuTime()
        const response = await browser.submit('/api/auth/signin/email', { csrfToken, email }, { json: true })
        const took = cpuTime() - signIn
        t.match(response.location, /error=EmailSignin/, `48 kB of ${JSON.stringify(part)}`)
        t.ok(took < 500, `took ${Math.round(took)} ms`)
      }
      t.equal(mailbox.mails.length, 0)
    }
  ],
  ['A83', 'a quoted local part sends the mail to another domain', refusedAddresses],
  ['A84', 'nested groups and comments by the thousand', refusedAddresses],
  ['A87', 'comments, groups and folded lines around an address that is allowed', refusedAddresses],
  ['A88', 'deep lists in place of an address', refusedAddresses],
  [
    'A96',
    'a step of one sign-in is played in another, twice, or out of turn',
    async (t) => {
      const started = await start(t, { rateLimit: false })
      const { browser, newBrowser, mailbox } = started
      await browser.submit('/api/auth/signin/email', { email: ada })
      const { url, code } = mailbox.last()
      const stranger = newBrowser()
      const typed = await stranger.submit('/api/auth/callback/email', { code })
      t.match(typed.location, /error=Verification/, 'the code without the browser that asked')
      const other = newBrowser()
      await other.submit('/api/auth/signin/email', { email: bob })
      t.match(
        (await other.submit('/api/auth/callback/email', { code })).location,
        /error=code/,
        'the code in the browser of another mail'
      )
      t.match(
        (await newBrowser().open('/api/auth/callback/email')).location,
        /error=Verification/,
        'the callback without parameters'
      )
      await browser.open(url, { headers: fromAfar })
      t.equal((await getSession(browser)).user?.email, ada)
      t.match(
        (await browser.submit('/api/auth/callback/email', { code })).location,
        /error=Verification/,
        'the code after the link'
      )
      t.match((await browser.open(url, { headers: fromAfar })).location, /error=Verification/, 'the link twice')
      for (const visitor of [stranger, other]) t.same(await getSession(visitor), {})
    }
  ],
  [
    'A98',
    "a crafted link binds a victim's browser to an attacker's sign-in",
    async (t) => {
      const started = await start(t)
      const { browser, newBrowser, mailbox, issuer } = started
      const attacker = newBrowser()
      await attacker.submit('/api/auth/signin/email', { email: 'mallory@example.com' })
      const link = await browser.open(mailbox.last().url, { headers: fromAfar })
      t.equal(link.status, 200, 'the link of a stranger is a page with a button')
      const firstResponse = await attacker.submit('/api/auth/signin/demo', {})
      const callback = await browser.open(await issuer.authorize(firstResponse.location ?? ''), { headers: fromAfar })
      t.equal(callback.status, 400, 'the callback of a stranger offers to start again')
      for (const path of ['/api/auth/signin/email?email=mallory@example.com', '/api/auth/signin/demo']) {
        const sent = mailbox.mails.length
        const opened = await browser.open(path, { headers: fromAfar })
        t.equal(opened.status, 200, `${path} only shows a page`)
        t.equal(mailbox.mails.length, sent)
      }
      t.same(await getSession(browser), {}, 'no user is signed in')
    }
  ],
  [
    'A102',
    'mailed links can be used again',
    async (t) => {
      const { browser, mailbox, clock, newBrowser } = await start(t, { mail: { confirm: 'never' } })
      await browser.submit('/api/auth/signin/email', { email: ada })
      const { url } = mailbox.last()
      t.equal((await browser.open(url)).location, origin)
      t.match((await newBrowser().open(url)).location, /error=Verification/)
      await browser.submit('/api/auth/signin/email', { email: bob })
      clock.advance(86_401)
      t.match((await newBrowser().open(mailbox.last().url)).location, /error=Verification/, 'nor after their time')
    }
  ]
]
