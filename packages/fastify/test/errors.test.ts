import { SignInError } from '@postern/core'
import type { Feature } from '@postern/core/feature'
import type { BrowserResponse, HeaderChanges } from '@postern/testkit'
import t, { type Test } from 'tap'
import { fromAfar, origin, type Started, type StartOptions, signInByForm, start } from './start.ts'

type Fail = (started: Started, headers: HeaderChanges) => Promise<BrowserResponse>

interface Case {
  readonly code: string
  readonly when: string
  readonly options?: StartOptions
  /** Goes through the sign-in, and returns the response of the request that fails. */
  readonly fail: Fail
  readonly screen: 'signin' | 'error'
  /** Of the screen. */
  readonly status: number
  /** The response for a client that follows redirects itself. */
  readonly json: number
  readonly texts: readonly string[]
}

const atIssuer: Fail = async ({ browser, issuer }, headers) => {
  const response = await browser.submit('/api/auth/signin/demo', {})
  return browser.open(await issuer.authorize(response.location ?? ''), { headers: { ...fromAfar, ...headers } })
}

const throughMail: Fail = async ({ browser, mailbox }, headers) => {
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  return browser.open(mailbox.last().url, { headers: { ...fromAfar, ...headers } })
}

const byForm =
  (password: string): Fail =>
  async ({ browser }, headers) =>
    browser.submit('/api/auth/callback/credentials', { username: 'grace', password }, { headers })

const broken: Feature = {
  id: 'broken',
  setup: () => ({
    routes: [{ method: 'GET', path: '/broken', access: 'anyone', run: () => Promise.reject(new Error('broken')) }]
  })
}

const onSignIn = { screen: 'signin', status: 200, json: 200 } as const
const denied = {
  screen: 'error',
  status: 403,
  json: 403,
  texts: ['Access denied', 'You do not have permission to sign in.']
} as const

const cases: readonly Case[] = [
  {
    code: 'Signin',
    when: 'the signIn callback chose that code',
    options: { callbacks: { signIn: () => Promise.reject(new SignInError('Signin')) } },
    fail: atIssuer,
    screen: 'signin',
    status: 200,
    json: 403,
    texts: ['The sign-in could not be completed.']
  },
  {
    code: 'OAuthSignin',
    when: 'the provider cannot be reached at the start',
    fail: async ({ browser, issuer }, headers) => {
      issuer.faults.unreachable = true
      return browser.submit('/api/auth/signin/demo', {}, { headers })
    },
    ...onSignIn,
    texts: ['The sign-in service does not answer at the moment.']
  },
  {
    code: 'OAuthSignin',
    when: 'the metadata names another issuer',
    fail: async ({ browser, issuer }, headers) => {
      issuer.faults.discoveryIssuerMismatch = true
      return browser.submit('/api/auth/signin/demo', {}, { headers })
    },
    ...onSignIn,
    texts: ['The sign-in could not be started.']
  },
  {
    code: 'OAuthCallback',
    when: 'the provider refuses the code',
    fail: async (started, headers) => {
      started.issuer.faults.tokenError = { status: 400, body: { error: 'invalid_grant' } }
      return atIssuer(started, headers)
    },
    ...onSignIn,
    texts: ['The answer of the sign-in service could not be accepted.']
  },
  {
    code: 'OAuthCreateAccount',
    when: 'the user cannot be written',
    fail: async (started, headers) => {
      started.store.breakDown('createUserWithAccount', 'createUser')
      return atIssuer(started, headers)
    },
    ...onSignIn,
    texts: ['An account could not be created for you.']
  },
  {
    code: 'EmailCreateAccount',
    when: 'the user cannot be written',
    fail: async (started, headers) => {
      started.store.breakDown('createUser')
      return throughMail(started, headers)
    },
    ...onSignIn,
    texts: ['An account could not be created for this email address.']
  },
  {
    code: 'Callback',
    when: 'the jwt callback throws',
    options: {
      session: { strategy: 'jwt' },
      callbacks: { jwt: () => Promise.reject(new Error('the role is missing')) }
    },
    fail: byForm('lovelace'),
    ...onSignIn,
    texts: ['Something went wrong while you were being signed in.']
  },
  {
    code: 'OAuthAccountNotLinked',
    when: 'the address belongs to a user with another sign-in method',
    fail: async (started, headers) => {
      await throughMail({ ...started, browser: started.newBrowser() }, {})
      return atIssuer(started, headers)
    },
    ...onSignIn,
    texts: ['To confirm your identity, sign in with the same account you used originally.']
  },
  {
    code: 'EmailSignin',
    when: 'the mail server refuses',
    fail: async ({ browser, mailbox }, headers) => {
      mailbox.fail(new Error('550 no such mailbox'))
      return browser.submit('/api/auth/signin/email', { email: 'ada@example.com' }, { headers })
    },
    ...onSignIn,
    texts: ['The email could not be sent.']
  },
  {
    code: 'EmailSignin',
    when: 'what was typed is not an address',
    fail: async ({ browser }, headers) =>
      browser.submit('/api/auth/signin/email', { email: 'ada@@example' }, { headers }),
    ...onSignIn,
    texts: ['Enter a valid email address.']
  },
  {
    code: 'CredentialsSignin',
    when: 'the password is wrong',
    fail: byForm('wrong'),
    screen: 'signin',
    status: 200,
    json: 401,
    texts: ['Sign in failed.', 'Check the details you provided are correct.']
  },
  {
    code: 'Configuration',
    when: 'a feature fails',
    // Its setup receives a context that another process cannot have.
    options: { features: [broken], instances: 1 },
    fail: async ({ browser }, headers) => browser.open('/api/auth/broken', { headers }),
    screen: 'error',
    status: 500,
    json: 500,
    texts: ['Server error']
  },
  {
    code: 'AccessDenied',
    when: 'the signIn callback refuses',
    options: { callbacks: { signIn: () => false } },
    fail: atIssuer,
    ...denied
  },
  {
    code: 'AccessDenied',
    when: 'the signIn callback refuses a name and a password',
    options: { callbacks: { signIn: () => false } },
    fail: byForm('lovelace'),
    ...denied
  },
  {
    code: 'AccessDenied',
    when: 'the signIn callback refuses before a mail is sent',
    options: { callbacks: { signIn: ({ email }) => !email?.verificationRequest } },
    fail: async ({ browser }, headers) =>
      browser.submit('/api/auth/signin/email', { email: 'a@example.com' }, { headers }),
    ...denied
  },
  {
    code: 'Verification',
    when: 'the link was used before',
    fail: async (started, headers) => {
      await throughMail({ ...started, browser: started.newBrowser() }, {})
      return started.browser.open(started.mailbox.last().url, { headers })
    },
    screen: 'error',
    status: 403,
    json: 403,
    texts: [
      'Unable to sign in',
      'The sign-in link is no longer valid. It may have been used already or it may have expired.'
    ]
  }
]

/** Failures that pass by themselves are shown where they happened, so that a reload tries again. */
const passing: readonly Omit<Case, 'screen' | 'json'>[] = [
  {
    code: 'RateLimited',
    when: 'six mails are requested one address',
    fail: async ({ browser }, headers) => {
      const ask = (more: HeaderChanges) =>
        browser.submit('/api/auth/signin/email', { email: 'ada@example.com' }, { headers: more })
      for (let count = 0; count < 5; count++) await ask({})
      return ask(headers)
    },
    status: 429,
    texts: ['Too many tries', 'Please wait 1 minute, then try again.']
  },
  {
    code: 'RateLimited',
    when: 'eleven passwords are tried',
    fail: async (started, headers) => {
      for (let count = 0; count < 10; count++) await byForm('wrong')(started, {})
      return byForm('lovelace')(started, headers)
    },
    status: 429,
    texts: ['Too many tries']
  },
  {
    code: 'RateLimited',
    when: 'callbacks come too fast',
    options: { rateLimit: { callbackPerClient: { points: 1, seconds: 60 } }, server: { trustProxy: true } },
    fail: async (started, headers) => {
      await byForm('wrong')(started, {})
      return byForm('lovelace')(started, headers)
    },
    status: 429,
    texts: ['Too many tries', 'Please wait 1 minute, then try again.']
  },
  {
    code: 'StoreUnavailable',
    when: 'the store does not respond when the provider has',
    fail: async (started, headers) => {
      const { browser, issuer, store } = started
      const response = await browser.submit('/api/auth/signin/demo', {})
      const callback = await issuer.authorize(response.location ?? '')
      store.breakDown()
      return browser.open(callback, { headers: { ...fromAfar, ...headers } })
    },
    status: 503,
    texts: ['You have not been signed out.']
  },
  {
    code: 'StoreUnavailable',
    when: 'the store does not respond when a mail is requested',
    fail: async ({ browser, store }, headers) => {
      store.breakDown()
      return browser.submit('/api/auth/signin/email', { email: 'ada@example.com' }, { headers })
    },
    status: 503,
    texts: ['You have not been signed out.']
  },
  {
    code: 'StoreUnavailable',
    when: 'the store does not respond at sign-out',
    fail: async ({ browser, store }, headers) => {
      await signInByForm(browser)
      store.breakDown()
      return browser.submit('/api/auth/signout', {}, { headers })
    },
    status: 503,
    texts: ['You have not been signed out.']
  }
]

function refOn(page: BrowserResponse): string {
  return page.html().querySelector('.reference')?.text.replace('Reference: ', '') ?? ''
}

/** The line of the log that an id leads to. */
function formatLine(log: readonly string[], ref: string): { readonly auth: { readonly error?: string } } | undefined {
  return log.map((line) => JSON.parse(line)).find(({ auth }) => auth?.ref === ref)
}

function checkPage(
  t: Test,
  page: BrowserResponse,
  { code, status, texts }: Omit<Case, 'screen' | 'json'>,
  log: string[]
): void {
  t.equal(page.status, status)
  for (const text of texts) t.ok(page.html().text.includes(text), text)
  const ref = refOn(page)
  t.match(ref, /^[\w-]{8,}$/, 'the page shows an id')
  t.match(formatLine(log, ref), { auth: { errorCode: code } }, 'the log has the id, with the code')
}

for (const one of cases) {
  const { code, when, options = {}, fail, screen, json } = one
  t.test(`${code}: ${when}`, async (t) => {
    const started = await start(t, options)
    const response = await fail(started, {})
    t.equal(response.status, 302)
    const target = new URL(response.location ?? '', origin)
    t.equal(target.origin + target.pathname, `${origin}/api/auth/${screen}`)
    t.equal(target.searchParams.get('error'), code)
    checkPage(t, await started.browser.follow(response), one, started.log)
  })

  t.test(`${code}: ${when}: a client that follows redirects itself gets ${json}`, async (t) => {
    const started = await start(t, options)
    const response = await fail(started, { 'x-auth-return-redirect': '1' })
    t.equal(response.status, json)
    const { url } = response.json<{ url: string }>()
    t.equal(new URL(url).pathname, `/api/auth/${screen}`)
    t.equal(new URL(url).searchParams.get('error'), code)
  })
}

for (const one of passing) {
  const { code, when, options = {}, fail, status } = one
  t.test(`${code}: ${when}`, async (t) => {
    const started = await start(t, options)
    const page = await fail(started, {})
    checkPage(t, page, one, started.log)
    if (code === 'RateLimited') t.match(page.headers['retry-after'], /^\d+$/)
    t.same(
      page.setCookies.filter(({ name, maxAge }) => name.includes('session-token') || maxAge === 0),
      code === 'StoreUnavailable' ? page.setCookies.filter(({ name }) => /state|pkce|nonce/.test(name)) : [],
      'no session is opened or ended'
    )
  })

  t.test(`${code}: ${when}: a client that follows redirects itself gets ${status}`, async (t) => {
    const started = await start(t, options)
    const response = await fail(started, { 'x-auth-return-redirect': '1' })
    t.equal(response.status, status)
    t.match(response.json(), { url: `/api/auth/error?error=${code}&ref=` })
    if (code === 'RateLimited') t.match(response.headers['retry-after'], /^\d+$/)
  })
}

t.test('SessionRequired: a page that requires a session redirects to the sign-in page, with the reason', async (t) => {
  const { browser } = await start(t)
  const response = await browser.open('/me')
  t.equal(response.status, 302)
  t.equal(response.location, `${origin}/api/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Fme&error=SessionRequired`)
  const page = await browser.follow(response)
  t.equal(page.status, 200)
  t.ok(page.html().text.includes('Please sign in to access this page.'))
  const script = await browser.request('GET', '/me', { headers: { accept: 'application/json' } })
  t.match({ status: script.status, body: script.json() }, { status: 401, body: { code: 'SESSION_REQUIRED' } })
})

t.test('the routes that scripts read answer an outage in JSON, whatever pages there are', async (t) => {
  for (const pages of [{}, { error: '/oops', signIn: '/in' }]) {
    const { browser, store, log } = await start(t, { pages, session: { strategy: 'database' } })
    await signInByForm(browser)
    store.breakDown()
    const response = await browser.open('/api/auth/session')
    t.equal(response.status, 503)
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    t.match(response.json(), { error: 'StoreUnavailable', ref: /^[\w-]+$/ })
    t.ok(formatLine(log, response.json<{ ref: string }>().ref))
    t.same(response.setCookies, [])
    const updated = await browser.submit('/api/auth/session', { data: 'x' })
    t.match({ status: updated.status, body: updated.json() }, { status: 503, body: { error: 'StoreUnavailable' } })
  }
})

t.test('a provider that does not respond, or that refuses us, has a separate sentence', async (t) => {
  const started = await start(t)
  const firstResponse = await started.browser.submit('/api/auth/signin/demo', {})
  const callback = await started.issuer.authorize(firstResponse.location ?? '')
  started.issuer.faults.unreachable = true
  const response = await started.browser.open(callback, { headers: fromAfar })
  t.match(response.location, /error=OAuthCallback&reason=unavailable&ref=/)
  const page = await started.browser.follow(response)
  t.ok(page.html().text.includes('The sign-in service does not answer at the moment.'))
})

t.test('a page that was opened without a failure shows an id that is in the log too', async (t) => {
  const { browser, log } = await start(t)
  for (const path of ['/error?error=AccessDenied', '/error', '/signin?error=Callback', '/error?ref=%3Cb%3E']) {
    const page = await browser.open(`/api/auth${path}`)
    t.ok(formatLine(log, refOn(page)), path)
  }
})

t.test('a signIn callback that names an address sends the visitor there', async (t) => {
  const started = await start(t, { callbacks: { signIn: () => '/pay-first' } })
  for (const fail of [atIssuer, byForm('lovelace')]) {
    t.equal((await fail(started, {})).location, `${origin}/pay-first`)
  }
  const response = await started.browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  t.equal(response.location, `${origin}/pay-first`)
  t.equal(started.mailbox.mails.length, 0)
})

t.test('the log holds neither tokens nor passwords nor codes', async (t) => {
  const started = await start(t, { debug: true })
  const { browser, issuer, mailbox, log } = started
  await byForm('a-password-that-nobody-may-read')(started, {})
  await throughMail(started, {})
  await started.browser.open(mailbox.last().url)
  const response = await browser.submit('/api/auth/signin/demo', {})
  const callback = await issuer.authorize(response.location ?? '')
  issuer.faults.tokenError = { status: 400, body: { error: 'invalid_grant', hint: 'canary-in-the-answer' } }
  await browser.open(callback, { headers: fromAfar })
  const written = log.join('')
  const secrets = [
    'a-password-that-nobody-may-read',
    'canary-in-the-answer',
    new URL(mailbox.last().url).searchParams.get('token') ?? '',
    mailbox.last().code,
    new URL(callback).searchParams.get('code') ?? '',
    new URL(callback).searchParams.get('state') ?? '',
    // The id of a sign-in method is no secret.
    ...browser.cookies.all().flatMap(({ name, value }) => (name.endsWith('postern.last-method') ? [] : value))
  ]
  for (const value of secrets) t.notOk(written.includes(value), value.slice(0, 12))
})
