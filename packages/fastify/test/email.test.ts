import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, Page, Renderer, VerificationToken } from '@postern/core'
import { type Browser, type BrowserResponse, withOwnKeys } from '@postern/testkit'
import t, { type Test } from 'tap'
import {
  cookieNames,
  fromAfar,
  getSession,
  origin,
  type Started,
  type StartOptions,
  signInByMail,
  start
} from './start.ts'
import { withoutTransactions } from './store-probe.ts'
import { transactionalAdapter } from './transactional.ts'

const address = 'ada@example.com'
const ask = (browser: Browser, email: string = address, more: Readonly<Record<string, string>> = {}) =>
  browser.submit('/api/auth/signin/email', { email, ...more })

function checkError(t: Test, { status, location }: BrowserResponse, code: string, message: string = code): void {
  t.match({ status, location }, { status: 302, location: `/api/auth/error?error=${code}&ref=` }, message)
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await getSession(browser)).user !== undefined
}

/** Opens a link, and presses the button where there is one. */
async function tried(browser: Browser, url: string): Promise<BrowserResponse> {
  const response = await browser.open(url)
  return response.status === 200 ? browser.fill(response, '/api/auth/callback/email') : response
}

const typed = (browser: Browser, code: string) => browser.submit('/api/auth/callback/email', { code })

/** Letters of the alphabet of codes that are not this code. */
const wrong = (code: string): string => (code.startsWith('B') ? 'C' : 'B') + code.slice(1)

t.test('email-1: what loads the link in the very browser that asked, without a person, consumes nothing', async (t) => {
  const { browser, mailbox } = await start(t)
  await ask(browser)
  const { url } = mailbox.last()
  const loads = [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-dest': 'iframe' }
  ]
  for (const headers of loads) {
    const page = await browser.open(url, { headers })
    t.match({ status: page.status, body: page.body }, { status: 200, body: /Confirm sign-in/ }, JSON.stringify(headers))
    t.notOk(await isSignedIn(browser))
  }
  t.equal((await browser.open(url, { headers: { 'sec-fetch-mode': null, 'sec-fetch-dest': null } })).location, origin)
})

t.test('email-1: another browser shows whose link it is, and a button; only the button signs in', async (t) => {
  const { browser, newBrowser, mailbox } = await start(t)
  await ask(browser, address, { callbackUrl: '/me' })
  const { url } = mailbox.last()
  const phone = newBrowser()
  const page = await phone.open(url, { headers: fromAfar })
  t.equal(page.status, 200)
  t.ok(page.html().querySelector('.card')?.text.includes(address), 'names the address')
  t.equal(page.html().querySelectorAll('button').length, 1)
  t.equal(page.headers['referrer-policy'], 'strict-origin', 'the form is to send its origin, the address no one')
  const done = await phone.fill(page, '/api/auth/callback/email')
  t.same({ status: done.status, location: done.location }, { status: 302, location: `${origin}/me` })
  t.match(await getSession(phone), { user: { email: address } })
  t.notOk(await isSignedIn(browser), 'only the one who pressed it is signed in')
  checkError(t, await browser.open(url), 'Verification', 'once')
})

t.test('confirm: always also asks in the same browser; never does not ask', async (t) => {
  const always = await start(t, { mail: { confirm: 'always' } })
  const page = await signInByMail(always, always.browser)
  t.match({ status: page.status, body: page.body }, { status: 200, body: /Confirm sign-in/ })
  t.equal((await always.browser.fill(page, '/api/auth/callback/email')).location, origin)

  const never = await start(t, { mail: { confirm: 'never' } })
  await ask(never.browser)
  const phone = never.newBrowser()
  t.equal((await phone.open(never.mailbox.last().url, { headers: fromAfar })).location, origin)
  t.match(await getSession(phone), { user: { email: address } })
  t.equal((await never.browser.request('HEAD', never.mailbox.last().url)).status, 200)
})

t.test('the code of the mail is typed where the mail was requested', async (t) => {
  const { browser, mailbox } = await start(t)
  const waiting = await browser.follow(await ask(browser, address, { callbackUrl: '/me' }))
  t.ok(waiting.html().text.includes(address))
  const { code } = mailbox.last()
  t.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
  const spelled = ` ${code.slice(0, 4).toLowerCase()} - ${code.slice(4)} `
  const done = await browser.fill(waiting, '/api/auth/callback/email', { code: spelled })
  t.same({ status: done.status, location: done.location }, { status: 302, location: `${origin}/me` })
  t.match(await getSession(browser), { user: { email: address } })
})

t.test(`either way of finishing uses up both`, async (t) => {
  const { browser, mailbox, newBrowser } = await start(t)
  await ask(browser)
  await typed(browser, mailbox.last().code)
  checkError(t, await browser.open(mailbox.last().url), 'Verification', 'the link, after the code')

  const other = newBrowser()
  await ask(other, 'bob@example.com')
  const before = other.cookies.clone()
  await other.open(mailbox.last().url)
  t.match(await getSession(other), { user: { email: 'bob@example.com' } })
  const held = { name: cookieNames.emailRequest, value: before.get(cookieNames.emailRequest) ?? '' }
  other.cookies.set(held.name, held.value, { path: '/api/auth' })
  checkError(t, await typed(other, mailbox.last().code), 'Verification', 'the code, after the link')
})

t.test(`email-2: five wrong codes delete the row, whatever cookie comes along, with rate limits off`, async (t) => {
  const { browser, mailbox, store: probe } = await start(t, { rateLimit: false })
  await ask(browser)
  const { code, url } = mailbox.last()
  const held = browser.cookies.get(cookieNames.emailRequest) ?? ''
  for (let count = 1; count <= 4; count++) {
    const response = await typed(browser, wrong(code))
    t.match(response.location, /\/api\/auth\/verify-request\?provider=email&type=email&error=code&ref=/, `try ${count}`)
    const page = await browser.follow(response)
    t.ok(page.html().text.includes('That code is not right.'))
    const left = { 3: '2 tries left.', 4: '1 try left.' }[count]
    t.equal(page.html().text.includes(left ?? 'left.'), left !== undefined, `try ${count}: ${left}`)
    browser.cookies.set(cookieNames.emailRequest, held, { path: '/api/auth' })
  }
  const fifth = await typed(browser, wrong(code))
  t.match(fifth.location, /\/api\/auth\/verify-request\?provider=email&type=email&error=spent&ref=/, 'the fifth')
  const spent = (await browser.follow(fifth)).html()
  t.match(spent.text, 'Too many wrong codes, so this email no longer works.')
  t.equal(spent.querySelector('form')?.getAttribute('action'), '/api/auth/signin/email', 'only another mail helps')
  checkError(t, await typed(browser, code), 'Verification', 'the right code comes too late')
  checkError(t, await browser.open(url), 'Verification', 'and so does the link')
  t.notOk(await isSignedIn(browser))
  t.ok(probe.count('useVerificationToken') > 0)
})

t.test(`the right code after four wrong ones signs in`, async (t) => {
  const { browser, mailbox } = await start(t, { rateLimit: false })
  await ask(browser)
  for (let count = 1; count <= 4; count++) await typed(browser, wrong(mailbox.last().code))
  t.equal((await typed(browser, mailbox.last().code)).location, origin)
})

t.test(`a link is good for a day`, async (t) => {
  const { browser, newBrowser, mailbox, clock, adapter, store: probe } = await start(t)
  await ask(browser)
  const { url, code } = mailbox.last()
  clock.advance(86_399)
  t.match((await newBrowser().open(url)).body, /Confirm sign-in/, 'a second before the end')
  const late = browser.cookies.clone()
  clock.advance(1)
  checkError(t, await newBrowser().open(url), 'Verification', 'at the end')
  browser.cookies.set(cookieNames.emailRequest, late.get(cookieNames.emailRequest) ?? 'none', { path: '/api/auth' })
  checkError(t, await typed(browser, code), 'Verification', 'and the code with it')
  const row = probe.calls.find(({ method }) => method === 'createVerificationToken')?.args[0] as {
    readonly identifier: string
    readonly token: string
  }
  t.equal(await adapter?.getVerificationToken?.(row), null, 'the row no longer exists')
})

t.test('storage-1: only a hash of token and code reaches the store', async (t) => {
  const { browser, mailbox, store } = await start(t)
  await ask(browser)
  const { url, code } = mailbox.last()
  const token = new URL(url).searchParams.get('token') ?? ''
  t.match(token, /^p1\.[\w-]{16}\.[0-9a-f]{64}$/)
  const stored = JSON.stringify(store.calls)
  for (const secret of [token, code]) t.notOk(stored.includes(secret))
  t.match(store.calls.find(({ method }) => method === 'createVerificationToken')?.args, [
    { identifier: address, token: /^[\w-]{43}$/, expires: new Date('2030-01-02T00:00:00Z') }
  ])
  t.notOk(browser.cookies.all().some(({ value }) => value.includes(token) || value.includes(code)))
})

t.test('the link carries callbackUrl, token and email, in that order, and nothing else', async (t) => {
  const { browser, mailbox } = await start(t)
  await ask(browser, address, { callbackUrl: '/me?tab=1' })
  const { origin: host, pathname, searchParams } = new URL(mailbox.last().url)
  t.equal(host + pathname, `${origin}/api/auth/callback/email`)
  t.same([...searchParams.keys()], ['callbackUrl', 'token', 'email'])
  t.equal(searchParams.get('callbackUrl'), `${origin}/me?tab=1`)
  t.equal(searchParams.get('email'), address)
})

t.test('code: only sends no link, false sends no code', async (t) => {
  const only = await start(t, { mail: { code: 'only' } })
  const response = await only.browser.follow(await ask(only.browser))
  t.match(response.body, 'A code has been sent to your email address. Enter it here to sign in.')
  const elsewhere = await only.newBrowser().open('/api/auth/verify-request?provider=email')
  t.match(elsewhere.body, 'Enter it in the browser where you asked for it.')
  t.same(only.mailbox.last().links, [])
  t.equal((await typed(only.browser, only.mailbox.last().code)).location, origin)

  const without = await start(t, { mail: { code: false } })
  const page = await without.browser.follow(await ask(without.browser))
  t.same(without.mailbox.last().codes, [])
  t.notOk(page.html().querySelector('input[name=code]'))
  checkError(t, await typed(without.browser, 'BCDFGHJK'), 'Verification')
  t.equal((await without.browser.open(without.mailbox.last().url)).location, origin)
})

t.test('codes of another length are requested, and taken', async (t) => {
  const { browser, mailbox } = await start(t, { constants: { codeLength: 6 } })
  const response = await browser.follow(await ask(browser))
  t.match(response.body, '6 letters. Capitals, spaces and dashes do not matter.')
  const [code = ''] = /^[A-Z]{6}$/m.exec(mailbox.last().text) ?? []
  t.equal((await typed(browser, code.toLowerCase())).location, origin)
})

t.test('the page that waits for a mail knows whether it has a link', async (t) => {
  const cases = [
    [true, true, true],
    ['only', false, true],
    [false, true, false]
  ] as const
  for (const [code, link, hasCode] of cases) {
    const seen: Page[] = []
    const renderer: Renderer = {
      page: (page) => {
        seen.push(page)
        return page.name
      },
      mail: () => ({ subject: 'Sign in', text: 'BCDFGHJK', html: '' })
    }
    const { browser, newBrowser } = await start(t, { mail: { code }, renderer })
    await browser.follow(await ask(browser))
    await newBrowser().open('/api/auth/verify-request?provider=email&type=email')
    t.match(seen, [
      { name: 'verify-request', identifier: address, link, code: hasCode ? {} : null },
      { name: 'verify-request', identifier: null, link, code: null }
    ])
  }
})

for (const [name, open] of [
  ['memory', () => memoryAdapter()],
  ['without transactions', () => withoutTransactions(memoryAdapter())],
  ['with transactions', () => transactionalAdapter()]
] as const) {
  t.test(
    `a link that is used in another browser uses up the code, and nothing of the mail is left: ${name}`,
    async (t) => {
      const { browser, newBrowser, mailbox, store, adapter } = await start(t, { adapter: open() })
      await ask(browser)
      const { url, code } = mailbox.last()
      t.equal((await tried(newBrowser(), url)).location, origin)
      const made = store.calls.filter(({ method }) => method === 'createVerificationToken').map(({ args }) => args[0])
      t.equal(made.length, 2)
      for (const row of made as VerificationToken[]) t.notOk(await adapter?.getVerificationToken?.(row), row.identifier)
      checkError(t, await typed(browser, code), 'Verification')
      t.notOk(await isSignedIn(browser))
    }
  )
}

t.test('with a page of the application’s own there is no code unless it is requested', async (t) => {
  const pages = { verifyRequest: '/check-your-mail' }
  const silent = await start(t, { pages })
  t.equal((await ask(silent.browser)).location, `${origin}/check-your-mail`)
  t.same(silent.mailbox.last().codes, [])
  const requested = await start(t, { pages, mail: { code: true } })
  await ask(requested.browser)
  t.equal((await typed(requested.browser, requested.mailbox.last().code)).location, origin)
})

t.test('codes of several mails work side by side', async (t) => {
  const { browser, mailbox } = await start(t)
  await ask(browser)
  await ask(browser, 'bob@example.com')
  const [adas, bobs] = mailbox.mails
  t.equal((await typed(browser, adas?.code ?? '')).location, origin)
  t.match(await getSession(browser), { user: { email: address } })
  t.equal((await typed(browser, bobs?.code ?? '')).location, origin)
  t.match(await getSession(browser), { user: { email: 'bob@example.com' } })
})

t.test('asking again leaves older links good; the five newest are known to the browser', async (t) => {
  const { browser, mailbox } = await start(t, { rateLimit: false })
  for (let count = 0; count < 6; count++) await ask(browser)
  const [oldest, second] = mailbox.mails
  t.match((await browser.open(oldest?.url ?? '')).body, /Confirm sign-in/, 'the sixth oldest asks')
  t.equal((await browser.open(second?.url ?? '')).location, origin)
})

/** No look at a token without using it, and rows with keys of their own, as in adapters of next-auth v4. */
function withoutPeeking(): Adapter {
  const { getVerificationToken: _, ...adapter } = memoryAdapter()
  return withOwnKeys(adapter)
}

for (const [name, options] of [
  ['', () => ({})],
  [', with an adapter that cannot look', (): StartOptions => ({ adapter: withoutPeeking() })]
] as const) {
  t.test(`a refusal of the signIn callback burns neither link nor code${name}`, async (t) => {
    let isAllowed = false
    const signIn = ({ email }: { readonly email?: unknown }) => email !== undefined || isAllowed
    const { browser, mailbox } = await start(t, { ...options(), callbacks: { signIn } })
    await ask(browser)
    const { url, code } = mailbox.last()
    checkError(t, await browser.open(url), 'AccessDenied', 'the link')
    checkError(t, await typed(browser, code), 'AccessDenied', 'the code')
    checkError(t, await browser.open(url), 'AccessDenied', 'the link again')
    isAllowed = true
    t.equal((await typed(browser, code)).location, origin, 'the code is still good')
    checkError(t, await tried(browser, url), 'Verification', 'once')
  })

  t.test(`a signIn callback that sends the visitor elsewhere burns no link${name}`, async (t) => {
    let result: boolean | string = '/pay-first'
    const signIn = ({ email }: { readonly email?: unknown }) => email !== undefined || result
    const { browser, mailbox } = await start(t, { ...options(), callbacks: { signIn } })
    await ask(browser)
    t.equal((await browser.open(mailbox.last().url)).location, `${origin}/pay-first`)
    result = true
    t.equal((await browser.open(mailbox.last().url)).location, origin)
  })

  for (const method of ['link', 'code'] as const) {
    t.test(`a write that fails later puts the ${method} back${name}`, async (t) => {
      const { browser, mailbox, store } = await start(t, { ...options(), session: { strategy: 'database' } })
      await ask(browser)
      const { url, code } = mailbox.last()
      const finish = () => (method === 'link' ? browser.open(url) : typed(browser, code))
      store.breakDown('createUser')
      t.match((await finish()).location, /error=EmailCreateAccount/)
      store.breakDown('createSession')
      const { status, location } = await finish()
      t.match(location ?? `${status}`, /^503$|error=EmailCreateAccount/, 'together with the user or after them')
      store.restore()
      t.equal((await finish()).location, origin)
      t.match(await getSession(browser), { user: { email: address } })
      checkError(t, await tried(browser, url), 'Verification', 'once')
    })
  }
}

t.test('a mail that cannot be sent leaves no row behind', async (t) => {
  const { browser, mailbox, store, adapter } = await start(t)
  mailbox.fail(new Error('550 no such mailbox'))
  const response = await ask(browser)
  t.match(response.location, /\/api\/auth\/signin\?error=EmailSignin&ref=/)
  t.notOk(browser.cookies.get(cookieNames.emailRequest))
  for (const { args } of store.calls.filter(({ method }) => method === 'createVerificationToken')) {
    t.equal(await adapter?.getVerificationToken?.(args[0] as { identifier: string; token: string }), null)
  }
  mailbox.fail(null)
  t.match((await ask(browser)).location, /verify-request/, 'and the next try works')
})

t.test('the row is stored before the mail is sent', async (t) => {
  const seen: number[] = []
  const started: { store?: Started['store'] } = {}
  const sendMail = async () => {
    seen.push(started.store?.count('createVerificationToken') ?? 0)
  }
  const { browser, store } = await start(t, { runtime: { sendMail }, mail: { code: false } })
  started.store = store
  await ask(browser)
  t.same(seen, [1])
})

const lateMails: Readonly<Record<string, (sent: Promise<void>) => Promise<void>>> = {
  'does not respond in time': () => new Promise(() => undefined),
  'gives up in the middle of it': async () => {
    throw Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT', command: 'DATA' })
  }
}

for (const [title, result] of Object.entries(lateMails)) {
  t.test(
    `a mail server that ${title} is waited for no longer, and a mail that arrives after all has its row`,
    async (t) => {
      const { browser, newBrowser, mailbox } = await start(t, {
        runtime: { sendMail: async (server, message) => result(mailbox.sendMail(server, message)) },
        constants: { mailTimeoutMilliseconds: 20 }
      })
      const response = await ask(browser)
      t.match(response.location, /error=EmailSignin/)
      const page = await newBrowser().open(mailbox.last().url, { headers: fromAfar })
      t.equal(page.status, 200, 'the link asks for a click, as in any browser that is not known to have asked')
      t.match(page.html().text, /ada@example\.com/)
    }
  )
}

t.test('no mail goes out when the store cannot keep its row', async (t) => {
  const { browser, mailbox, store } = await start(t)
  store.breakDown('createVerificationToken')
  t.equal((await ask(browser)).status, 503)
  t.same(mailbox.mails, [])
})

t.test('a link without a token or an address, or with two, is Verification', async (t) => {
  const { browser, mailbox } = await start(t)
  await ask(browser)
  const { url } = mailbox.last()
  const token = new URL(url).searchParams.get('token')
  const queries = [
    '',
    `email=${address}`,
    `token=&email=${address}`,
    `token=${token}&token=${token}&email=${address}`,
    `token=${token}`,
    `token=${token}&email=`,
    `token=${token}&email=${address}&email=${address}`
  ]
  for (const query of queries)
    checkError(t, await browser.open(`/api/auth/callback/email?${query}`), 'Verification', query)
  t.equal((await browser.open(url)).location, origin)
})

t.test('a mail says when and from which browser it was requested, in no words of the request', async (t) => {
  const mozilla = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
  const { browser, mailbox, clock } = await start(t)
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const body = `${new URLSearchParams({ csrfToken, email: address })}`
  for (const [agent, line] of [
    [mozilla, /· Firefox \(Linux\)$/m],
    [`<b>call us now</b> ${mozilla}`, /· Firefox \(Linux\)$/m],
    ['<b>call us now</b>', /UTC$/m]
  ] as const) {
    clock.advance(60)
    await browser.post('/api/auth/signin/email', body, { 'user-agent': agent, 'x-forwarded-for': '203.0.113.9' })
    const { text, html } = mailbox.last()
    t.match(text, line)
    const [, minutes] = /Requested: .* at \d\d:(\d\d) UTC/.exec(text) ?? []
    t.equal(Number(minutes), new Date(clock.now()).getUTCMinutes())
    t.notMatch(text + html, /call us now|203\.0\.113|127\.0\.0\.1/)
  }
})

t.test('the application may send the mail itself', async (t) => {
  const sent: object[] = []
  const methods = [(request: object) => void sent.push(request), async (request: object) => void sent.push(request)]
  for (const sendVerificationRequest of methods) {
    sent.length = 0
    const mail = { sendVerificationRequest, generateVerificationToken: () => 'a token of the application' }
    const { browser, mailbox } = await start(t, { mail })
    await ask(browser)
    t.match(sent, [
      {
        identifier: address,
        url: /^https:\/\/app\.test\/api\/auth\/callback\/email\?/,
        code: null,
        token: 'a token of the application',
        expires: new Date('2030-01-02T00:00:00Z'),
        provider: { id: 'email', from: 'App <no-reply@app.test>' },
        theme: { colorScheme: 'auto' }
      }
    ])
    t.same(mailbox.mails, [], 'the built-in mail is not sent too')
    const [{ url }] = sent as [{ readonly url: string }]
    t.equal((await browser.open(url)).location, origin)
  }
})

t.test('the application may say what an address is', async (t) => {
  const normalizeIdentifier = (text: string) => {
    if (!text.endsWith('@example.com')) throw new Error('only Postern’s people')
    return text.toLowerCase()
  }
  const { browser, mailbox } = await start(t, { mail: { normalizeIdentifier } })
  t.match((await ask(browser, 'ada@example.org')).location, /error=EmailSignin/)
  await ask(browser, 'ADA@example.com')
  t.equal(mailbox.last().to, address)
  t.equal((await browser.open(mailbox.last().url)).location, origin)
})
