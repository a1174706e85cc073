import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { SignInError } from '@postern/core'
import { encode } from '@postern/core/jwt'
import {
  cookieNames,
  fromAfar,
  getSession,
  origin,
  secret,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import type { Replay } from './replay.ts'

const ada = 'ada@example.com'
const mail = '/api/auth/signin/email'
const form = '/api/auth/callback/credentials'

export const rules: readonly Replay[] = [
  [
    'A31',
    'with one check switched off the others are not compared either',
    async (t) => {
      for (const checks of [['state'], ['pkce'], ['nonce'], ['state', 'pkce', 'nonce']] as const) {
        const started = await start(t, { demo: { checks }, issuerOptions: { plainOAuth: true } })
        const { browser, newBrowser, issuer } = started
        const attacker = newBrowser()
        await browser.submit('/api/auth/signin/demo', {})
        const response = await attacker.submit('/api/auth/signin/demo', {})
        const callback = new URL(await issuer.authorize(response.location ?? ''))
        const requests = issuer.requests.length
        for (const state of [callback.searchParams.get('state'), 'f'.repeat(43), '', null]) {
          if (state === null) callback.searchParams.delete('state')
          else callback.searchParams.set('state', state)
          const back = await browser.open(callback.href, { headers: fromAfar })
          t.not(back.location, origin, `${checks.join()}: ${state ? 'a state of another' : 'no state'}`)
        }
        t.equal(issuer.requests.length, requests, 'no code was sent to the provider')
        t.same(await getSession(browser), {})
      }
    }
  ],
  [
    'A41',
    'a code or a link is looked at first and deleted afterwards',
    async (t) => {
      const { app, newBrowser, mailbox, adapter } = await start(t, {
        session: { strategy: 'database' },
        rateLimit: false,
        instances: 1
      })
      const asking = newBrowser()
      await asking.submit(mail, { email: ada })
      const { code, url } = mailbox.last()
      const { csrfToken } = await asking.json<{ csrfToken: string }>('/api/auth/csrf')
      const cookie = asking.cookies
        .all()
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ')
      const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
      const payload = new URLSearchParams({ code, csrfToken }).toString()
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          index % 2 === 0
            ? app.inject({ method: 'POST', url: '/api/auth/callback/email', headers, payload })
            : app.inject({ url: url.slice(origin.length), headers: { cookie } })
        )
      )
      t.equal(responses.filter(({ headers: { location } }) => location === origin).length, 1, 'one is admitted')
      const user = await adapter?.getUserByEmail?.(ada)
      t.equal((await adapter?.listSessions?.(user?.id ?? ''))?.length, 1, 'with one session')
    }
  ],
  [
    'A97',
    'the proof of one account is used for another, or twice',
    async (t) => {
      const started = await start(t, { session: { strategy: 'database' } })
      const { browser, newBrowser, issuer, adapter } = started
      await signInByMail(started, browser, ada)
      const response = await browser.submit('/api/auth/signin/demo', {})
      await browser.submit('/api/auth/signout', {})
      await signInByMail(started, browser, 'bob@example.com')
      const person = { sub: 'eve', email: 'eve@example.com', email_verified: true }
      const callback = await issuer.authorize(response.location ?? '', person)
      t.equal((await browser.open(callback, { headers: fromAfar })).status, 409, 'another user was signed in then')
      const key = { provider: 'demo', providerAccountId: 'eve' }
      t.equal(await adapter?.getUserByAccount?.(key), null, 'and nothing is linked')
      await browser.open(callback, { headers: fromAfar })
      await newBrowser().open(callback, { headers: fromAfar })
      t.equal(await adapter?.getUserByAccount?.(key), null, 'nor the second time')
    }
  ],
  [
    'A101',
    'an address that no one has proven is joined by the user who proves it',
    async (t) => {
      const started = await start(t, {
        session: { strategy: 'database' },
        demo: { allowDangerousEmailAccountLinking: true }
      })
      const { browser, newBrowser, issuer } = started
      const squatter = newBrowser()
      await signInByForm(squatter, 'ada')
      t.match(await getSession(squatter), { user: { email: ada } }, 'a stranger was there first, unproven')
      const response = await browser.submit('/api/auth/signin/demo', {})
      const person = { sub: 'ada-at-demo', email: ada, email_verified: true }
      const refused = await browser.open(await issuer.authorize(response.location ?? '', person), { headers: fromAfar })
      t.match(refused.location, /error=OAuthAccountNotLinked/)
      await signInByMail(started, browser, ada)
      t.match(await getSession(browser), { user: { email: ada } }, 'the owner proves the address')
      t.same(await getSession(squatter), {}, 'and the stranger is out')
    }
  ],
  [
    'N02',
    'an address joins two accounts only with the option and if both sides are verified',
    async (t) => {
      for (const isAllowed of [true, false]) {
        for (const isLocalProven of [true, false]) {
          for (const isProvenThere of [true, false]) {
            const adapter = memoryAdapter()
            await adapter.createUser?.({ id: '1', email: ada, emailVerified: isLocalProven ? new Date() : null })
            const account = {
              provider: 'credentials',
              type: 'credentials',
              providerAccountId: '1',
              userId: '1'
            } as const
            await adapter.linkAccount?.(account)
            const started = await start(t, { adapter, demo: { allowDangerousEmailAccountLinking: isAllowed } })
            const person = { sub: 'ada-at-demo', email: ada, email_verified: isProvenThere }
            const { location } = await signInAtIssuer(started, started.browser, person)
            const isLinked = isAllowed && isLocalProven && isProvenThere
            const row = JSON.stringify({ isAllowed, isLocalProven, isProvenThere })
            if (isLinked) t.equal(location, origin, row)
            else t.match(location, /error=OAuthAccountNotLinked/, row)
          }
        }
      }
    }
  ],
  [
    'N04',
    'the identifier is the recipient',
    async (t) => {
      const { browser, mailbox, store } = await start(t, { rateLimit: false })
      for (const email of [' Ada@Example.com', "o'hara+x@sub.example.com", `\uFF41da@example.com`]) {
        await browser.submit(mail, { email })
        const row = store.calls.filter(({ method }) => method === 'createVerificationToken').at(-2)?.args[0]
        t.match(row, { identifier: mailbox.last().to }, email)
      }
      const sent = mailbox.mails.length
      for (const email of [`${ada},b@b.test`, `"${ada}"@b.test`, `Ada <${ada}>`]) await browser.submit(mail, { email })
      t.equal(mailbox.mails.length, sent)
    }
  ],
  [
    'N05',
    'no mail without a stored token, and no stored token where the mail was refused',
    async (t) => {
      const { browser, mailbox, store } = await start(t)
      store.breakDown('createVerificationToken')
      t.equal((await browser.submit(mail, { email: ada })).status, 503)
      t.equal(mailbox.mails.length, 0)
      const other = await start(t)
      other.mailbox.fail(new Error('no such mailbox'))
      t.match((await other.browser.submit(mail, { email: ada })).location, /error=EmailSignin/)
      const rows = other.store.calls.filter(({ method }) => method === 'createVerificationToken')
      t.ok(rows.length > 0)
      for (const { args } of rows) {
        const [row] = args as readonly { identifier: string; token: string }[]
        t.equal(row && (await other.adapter?.getVerificationToken?.(row)), null)
      }
    }
  ],
  [
    'N06',
    'a refusal, or a write that fails later, does not burn the link',
    async (t) => {
      const adapters: readonly Adapter[] = [memoryAdapter(), withoutTransactions(memoryAdapter())]
      for (const adapter of adapters) {
        let isAllowed = false
        const signIn = ({ email }: { readonly email?: unknown }): boolean => email !== undefined || isAllowed
        const started = await start(t, { adapter, callbacks: { signIn }, mail: { confirm: 'never' } })
        const { browser, mailbox, store } = started
        await browser.submit(mail, { email: ada })
        const { url } = mailbox.last()
        t.match((await browser.open(url)).location, /error=AccessDenied/)
        isAllowed = true
        store.breakDown('createSession', 'transact')
        t.not((await browser.open(url)).location, origin, 'the session cannot be written')
        store.restore()
        t.equal((await browser.open(url)).location, origin, 'then the link signs in')
      }
    }
  ],
  [
    'N07',
    'a link without token or address, or with two of them',
    async (t) => {
      const { newBrowser, browser, mailbox, store } = await start(t, { mail: { confirm: 'never' } })
      await browser.submit(mail, { email: ada })
      const { searchParams } = new URL(mailbox.last().url)
      const token = `token=${searchParams.get('token')}`
      const email = `email=${encodeURIComponent(ada)}`
      const visitor = newBrowser()
      for (const query of [
        token,
        email,
        `${token}&${token}&${email}`,
        `${token}&${email}&${email}`,
        `${token}[]=&email[]=`
      ]) {
        const reply = await visitor.open(`/api/auth/callback/email?${query}`)
        t.match(reply.location, /error=(Configuration|Verification)/, query.replaceAll(/[0-9a-f]{64}/g, '…'))
      }
      t.same(await getSession(visitor), {})
      t.equal(store.count('createSession'), 0)
      t.equal((await visitor.open(`/api/auth/callback/email?${token}&${email}`)).location, origin, 'both, once each')
    }
  ],
  [
    'N08',
    'every sign-in makes a new session, and the old one dies',
    async (t) => {
      const started = await start(t, { session: { strategy: 'database' } })
      const { browser, newBrowser } = started
      const seen: string[] = []
      for (const signIn of [signInByMail, signInAtIssuer, (_: unknown, one: typeof browser) => signInByForm(one)]) {
        await signIn(started, browser)
        const value = browser.cookies.get(cookieNames.sessionToken) ?? ''
        t.notOk(seen.includes(value) || value === '')
        seen.push(value)
      }
      const thief = newBrowser()
      for (const [index, value] of seen.entries()) {
        thief.cookies.set(cookieNames.sessionToken, value, { secure: true })
        const { user } = await getSession(thief)
        t.equal(user !== undefined, index === seen.length - 1, `session ${index + 1}`)
      }
    }
  ],
  [
    'N09',
    'a further account joins the signed-in user, and is never moved to another user',
    async (t) => {
      const started = await start(t, { session: { strategy: 'database' } })
      const { browser, newBrowser, adapter } = started
      const person = { sub: 'ada-at-demo', email: 'other@example.com', email_verified: true }
      const key = { provider: 'demo', providerAccountId: person.sub }
      await signInByMail(started, browser, ada)
      await signInAtIssuer(started, browser, person)
      const owner = await adapter?.getUserByAccount?.(key)
      t.equal(owner?.email, ada)
      const second = newBrowser()
      await signInByMail(started, second, 'bob@example.com')
      t.match((await signInAtIssuer(started, second, person)).location, /error=OAuthAccountNotLinked/)
      t.equal((await adapter?.getUserByAccount?.(key))?.id, owner?.id)
      const offered = await newBrowser().open('/api/auth/signin/demo', { headers: fromAfar })
      t.equal(offered.status, 200, 'GET starts nothing')
    }
  ],
  [
    'N10',
    'a thrown error is in no URL and on no page, but in the log',
    async (t) => {
      const thrown = 'database at 10.1.2.3 said no'
      const refusals = [
        [new Error(thrown), 'code', 'AccessDenied'],
        [Object.assign(new Error(thrown), { code: 'EACCES' }), 'message', 'Callback'],
        [new TypeError(thrown), 'message', 'Callback'],
        // As drizzle-orm wraps a failed query, with its text and values.
        [new Error(thrown, { cause: new Error('duplicate key') }), 'message', 'Callback'],
        [new SignInError('TooYoung', thrown), 'message', 'TooYoung'],
        [new Error(thrown), 'message', encodeURIComponent(thrown).replaceAll('%20', '+')]
      ] as const
      for (const [error, errors, code] of refusals) {
        const signIn = (): never => {
          throw error
        }
        const { browser, log } = await start(t, { errors, callbacks: { signIn } })
        const refused = await signInByForm(browser)
        t.ok(refused.location?.includes(`error=${code}`), `${refused.location} has ${code}`)
        const page = await browser.followAll(refused)
        t.notMatch(page.body, thrown)
        t.ok(
          log.some((line) => line.includes(thrown)),
          'the log has it'
        )
        t.ok(new URL(refused.location ?? '').searchParams.get('ref'), 'under an id')
      }
    }
  ],
  [
    'N11',
    'an anti-forgery token from before a sign-in or a sign-out',
    async (t) => {
      const { browser } = await start(t)
      const token = async (): Promise<string> => (await browser.json<{ csrfToken: string }>('/api/auth/csrf')).csrfToken
      const before = await token()
      await signInByForm(browser)
      const between = await token()
      t.match((await browser.submit('/api/auth/signout', { csrfToken: before })).location, /csrf=true/)
      await browser.submit('/api/auth/signout', {})
      t.match((await browser.submit(form, { csrfToken: between })).location, /csrf=true/)
      t.equal(new Set([before, between, await token()]).size, 3)
    }
  ],
  [
    'N12',
    'a session token of another algorithm, or without the claims that it needs',
    async (t) => {
      const { newBrowser } = await start(t, { session: { strategy: 'jwt' } })
      const browser = newBrowser()
      await signInByForm(browser)
      const value = browser.cookies.get(cookieNames.sessionToken) ?? ''
      const [header = '', ...parts] = value.split('.')
      const known = JSON.parse(Buffer.from(header, 'base64url').toString()) as object
      for (const change of [
        { alg: 'none' },
        { enc: 'A128GCM' },
        { enc: 'A256CBC-HS512' },
        { zip: 'DEF' },
        { alg: 'A256KW' }
      ]) {
        const forged = Buffer.from(JSON.stringify({ ...known, ...change })).toString('base64url')
        const visitor = newBrowser()
        visitor.cookies.set(cookieNames.sessionToken, [forged, ...parts].join('.'), { secure: true })
        t.same(await getSession(visitor), {}, JSON.stringify(change))
      }
      const maxAge = 10 * 365 * 24 * 60 * 60
      const claims = [{ sub: '1', name: 'Ada' }, { sub: '', name: 'Ada' }, { name: 'Ada' }, {}]
      for (const [index, claim] of claims.entries()) {
        const visitor = newBrowser()
        const made = await encode({ token: claim, secret, maxAge })
        visitor.cookies.set(cookieNames.sessionToken, made, { secure: true })
        t.equal((await getSession(visitor)).user !== undefined, index === 0, JSON.stringify(claim))
      }
    }
  ],
  [
    'N13',
    'HEAD, or GET from another browser, uses up a link',
    async (t) => {
      const { browser, newBrowser, mailbox, store } = await start(t)
      await browser.submit(mail, { email: ada })
      const { url } = mailbox.last()
      for (const visitor of [browser, newBrowser()]) await visitor.request('HEAD', url)
      t.equal((await newBrowser().open(url, { headers: fromAfar })).status, 200)
      t.equal(store.count('useVerificationToken') + store.count('createSession'), 0)
      t.equal((await browser.open(url, { headers: fromAfar })).location, origin)
    }
  ],
  [
    'N14',
    'what the store holds of a session is its cookie',
    async (t) => {
      for (const storage of ['hashed', 'both', 'plain'] as const) {
        const { browser, newBrowser, store } = await start(t, { session: { strategy: 'database', storage } })
        await signInByForm(browser)
        t.ok((await getSession(browser)).user, storage)
        const rows = JSON.stringify(
          store.calls.filter(({ method }) => method === 'createSession' || method === 'transact')
        )
        const texts = new Set(rows.match(/[\w.+/=-]{20,}/g))
        t.ok(texts.size > 0)
        for (const text of texts) {
          const thief = newBrowser()
          thief.cookies.set(cookieNames.sessionToken, text, { secure: true })
          t.same(await getSession(thief), {}, `${storage}: a column is not a cookie`)
        }
      }
    }
  ],
  [
    'N15',
    'a request sets the origin of the application',
    async (t) => {
      const { browser, mailbox } = await start(t)
      const headers = { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test', 'x-forwarded-proto': 'http' }
      const mailResponse = await browser.submit(mail, { email: ada }, { headers })
      t.ok(mailResponse.location?.startsWith(`${origin}/`))
      t.ok(mailbox.last().url.startsWith(`${origin}/`))
      t.notMatch(mailbox.last().html, /evil\.test/)
    }
  ]
]
