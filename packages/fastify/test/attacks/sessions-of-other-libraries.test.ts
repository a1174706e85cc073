import { createCipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import type { PosternOptions, Token } from '@postern/core'
import { encode } from '@postern/core/jwt'
import { type Browser, createBrowser, fromInject } from '@postern/testkit'
import { inTurn } from '@postern/testkit/long'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import {
  cookieNames,
  fromAfar,
  mails,
  origin,
  type StartOptions,
  secret,
  signInAtIssuer,
  signInByForm
} from '../start.ts'
import { startTwo } from '../two-applications.ts'
import { browserAt } from '../visitor.ts'
import { createClockLimiter } from './clock-limiter.ts'
import { accountsOf, address, idIn, mallory, script, signIn, signUp, startAccounts, vera, withId } from './setup.ts'

const { sessionToken } = cookieNames
const authJs = '__Secure-authjs.session-token'
const month = 30 * 24 * 60 * 60

const addRoutes = (app: FastifyInstance): void => {
  app.get('/danger', async (request, reply) => {
    await app.requireSession.with({ freshWithin: 60 }).call(app, request, reply)
    return reply.sent ? reply : { done: true }
  })
}

/** An application with JWT sessions on the clock of this machine, which `advance` moves. */
async function startMoving(t: Test, { session, ...options }: StartOptions = {}) {
  let offset = 0
  const now = () => Date.now() + offset
  const started = await startAccounts(t, {
    session: { strategy: 'jwt', updateAge: 0, readAuthJsCookies: true, ...session },
    runtime: { now },
    issuerOptions: { clock: { now }, redirectUris: [`${origin}/api/auth/callback/demo`] },
    before: (app) => app.after(() => addRoutes(app)),
    ...options
  })
  const newBrowser = (token?: string, name: string = sessionToken) => {
    const browser = createBrowser({ origin, send: fromInject(started.app), clock: { now } })
    if (token !== undefined) browser.cookies.set(name, token, { secure: true, path: '/' })
    return browser
  }
  const advance = (seconds: number) => {
    offset += seconds * 1000
  }
  return { ...started, newBrowser, advance, seconds: () => Math.floor(now() / 1000) }
}

/** A session token as Auth.js v5 encrypts it. */
function encodeAuthJs(claims: object): string {
  const info = `Auth.js Generated Encryption Key (${authJs})`
  const key = Buffer.from(hkdfSync('sha256', secret, authJs, info, 64))
  const header = Buffer.from('{"alg":"dir","enc":"A256CBC-HS512"}').toString('base64url')
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', key.subarray(32), iv)
  const iat = Math.floor(Date.now() / 1000)
  const text = JSON.stringify({ iat, exp: iat + month, jti: randomUUID(), ...claims })
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(header.length * 8))
  const signed = Buffer.concat([Buffer.from(header), iv, encrypted, length])
  const tag = createHmac('sha512', key.subarray(0, 32)).update(signed).digest().subarray(0, 32)
  return [header, '', ...[iv, encrypted, tag].map((part) => part.toString('base64url'))].join('.')
}

const libraries = [
  ['next-auth', sessionToken, (token: Token) => encode({ token, secret })],
  ['Auth.js', authJs, async (token: Token) => encodeAuthJs(token)]
] as const

/** In `npm test` a test has one library, the next one the other; in the long run each has both. */
const someLibraries = inTurn(libraries)

const danger = async (browser: Browser) => (await browser.request('GET', '/danger', { headers: script })).status

/** Tokens as JSON, of the claims that an application keeps. */
const plainJwt = (keep: (token: Token) => Token): PosternOptions['jwt'] => ({
  encode: ({ token = {} }) => Buffer.from(JSON.stringify(keep(token))).toString('base64url'),
  decode: ({ token }) => JSON.parse(Buffer.from(token ?? '', 'base64url').toString())
})

/** Claims that applications of the other libraries wrote with times. */
const times = (): readonly Token[] => {
  const now = Date.now()
  const seconds = Math.floor(now / 1000)
  return [
    {},
    { auth_time: seconds },
    { session_start: -1 },
    { auth_time: String(seconds + month), session_start: String(seconds + month) },
    { session_start: seconds + month },
    { session_start: null, auth_time: null },
    { auth_time: now },
    { auth_time: now, session_start: now },
    { auth_time: seconds + month, session_start: seconds + month }
  ]
}

t.test('the session of another library, with times of its application, is a recent sign-in later', async (t) => {
  for (const [library, name, write] of someLibraries()) {
    const { newBrowser, advance } = await startMoving(t)
    const browsers = await Promise.all(
      times().map(async (claims) => ({
        claims,
        browser: newBrowser(await write({ sub: 'vera', ...claims }), name)
      }))
    )
    for (const { browser } of browsers) t.equal(await idIn(browser), 'vera', library)
    advance(90)
    for (const { claims, browser } of browsers) {
      t.equal(await danger(browser), 401, `${library} ${JSON.stringify(claims)}`)
      await idIn(browser)
      t.equal(await danger(browser), 401, `${library} ${JSON.stringify(claims)}, renewed`)
    }
  }
})

t.test('the session of another library, with times of its application, outlives absoluteMaxAge', async (t) => {
  for (const [library, name, write] of someLibraries()) {
    const { newBrowser, advance } = await startMoving(t, { session: { absoluteMaxAge: 3600 } })
    const tokens = await Promise.all(
      times().map(async (claims) => ({ claims, token: await write({ sub: 'vera', ...claims }) }))
    )
    const browsers = tokens.map(({ claims, token }) => ({ claims, token, browser: newBrowser(token, name) }))
    for (let turn = 0; turn < 4; turn++) {
      for (const { claims, browser } of browsers)
        t.equal(await idIn(browser), claims['session_start'] === -1 ? null : 'vera', `${library}, use ${turn}`)
      advance(1000)
    }
    for (const { claims, token, browser } of browsers) {
      t.equal(await idIn(browser), null, `${library} ${JSON.stringify(claims)}, renewed`)
      t.equal(await idIn(newBrowser(token, name)), null, `${library} ${JSON.stringify(claims)}, the copy`)
    }
  }
})

t.test('a copy of a session of another library outlives revokeAll, or the sign-out of its renewed form', async (t) => {
  for (const [library, name, write] of someLibraries()) {
    for (const end of ['revokeAll', 'signout'] as const) {
      const { app, adapter, newBrowser, advance } = await startMoving(t)
      for (const claims of times()) {
        const user = await adapter?.createUser?.({ name: null, email: `${randomUUID()}@e.test`, emailVerified: null })
        const sub = user?.id ?? ''
        const token = await write({ sub, ...claims })
        const [owner, thief] = [newBrowser(token, name), newBrowser(token, name)]
        advance(5)
        for (const browser of [owner, thief]) t.equal(await idIn(browser), sub)
        advance(5)
        if (end === 'revokeAll') await app.postern.sessions.revokeAll(sub)
        else await owner.submit('/api/auth/signout', {})
        advance(5)
        const label = `${library}, ${end}, ${JSON.stringify(claims)}`
        t.equal(await idIn(thief), null, `${label}: renewed by the thief`)
        t.equal(await idIn(newBrowser(token, name)), null, `${label}: the original`)
      }
    }
  }
})

t.test('the session of another library, with times of its application, links an account', async (t) => {
  for (const [library, name, write] of someLibraries()) {
    const started = await startMoving(t)
    for (const [index, claims] of times().entries()) {
      const id = await signUp(started, `v${index}@example.com`)
      await started.adapter?.updateUser?.({ id, emailVerified: new Date() })
      const browser = started.newBrowser(await write({ sub: id, ...claims }), name)
      t.equal(await idIn(browser), id)
      started.advance(700)
      await signIn(started, browser, { ...mallory, sub: `m${index}`, email: `m${index}@evil.test` }, { link: 'true' })
      t.same(await accountsOf(started, id), [], `${library} ${JSON.stringify(claims)}`)
    }
  }
})

/** What an application's own callback or encoding may do with the times. */
const hooks: Readonly<Record<string, (now: () => number) => Pick<PosternOptions, 'callbacks' | 'jwt'>>> = {
  'a callback that sets times': (now) => ({
    callbacks: { ...withId, jwt: ({ token }) => ({ ...token, auth_time: now(), session_start: now(), iat: now() }) }
  }),
  'a callback that sets milliseconds': (now) => ({
    callbacks: { ...withId, jwt: ({ token }) => ({ ...token, auth_time: now() * 1000, session_start: now() * 1000 }) }
  }),
  'a callback that keeps the user only': () => ({
    callbacks: { ...withId, jwt: ({ token, user }) => ({ sub: user?.id ?? token.sub ?? '' }) }
  }),
  'a callback that removes the times': () => ({
    callbacks: { ...withId, jwt: ({ token }) => ({ ...token, auth_time: undefined, session_start: undefined }) }
  }),
  'an encoding without a start': () => ({
    jwt: plainJwt(({ auth_time: _, session_start: __, ...token }) => token)
  }),
  'an encoding without times': () => ({
    jwt: plainJwt(({ auth_time: _, session_start: __, iat: ___, ...token }) => token)
  })
}

for (const [label, make] of Object.entries(hooks)) {
  const open = (t: Test, session: StartOptions['session'] = {}) => {
    const clock = { now: Date.now }
    const options = make(() => Math.floor(clock.now() / 1000))
    return startMoving(t, { ...options, session }).then((started) => {
      clock.now = () => started.seconds() * 1000
      return started
    })
  }

  t.test(`a session is a recent sign-in later, because of ${label}`, async (t) => {
    const { newBrowser, advance } = await open(t)
    const browser = newBrowser()
    await signInByForm(browser, 'vera')
    const id = await idIn(browser)
    t.ok(id)
    if (label.startsWith('a callback')) t.equal(await danger(browser), 200)
    advance(900)
    t.equal(await danger(browser), 401)
    t.equal(await idIn(browser), id)
    t.equal(await danger(browser), 401, 'renewed')
  })

  if (label.startsWith('a callback'))
    t.test(`a session outlives absoluteMaxAge, because of ${label}`, async (t) => {
      const { newBrowser, advance } = await open(t, { absoluteMaxAge: 3600 })
      const browser = newBrowser()
      await signInByForm(browser, 'vera')
      for (let turn = 0; turn < 4; turn++) {
        t.ok(await idIn(browser))
        advance(1000)
      }
      t.equal(await idIn(browser), null)
    })

  t.test(`a stolen session outlives revokeAll or the sign-out, because of ${label}`, async (t) => {
    for (const end of ['revokeAll', 'signout'] as const) {
      const { app, newBrowser, advance } = await open(t)
      const owner = newBrowser()
      await signInByForm(owner, 'vera')
      const id = (await idIn(owner)) ?? ''
      const token = owner.cookies.get(sessionToken) ?? ''
      const thief = newBrowser(token)
      advance(5)
      t.equal(await idIn(thief), id)
      t.equal(await idIn(owner), id)
      advance(5)
      if (end === 'revokeAll') await app.postern.sessions.revokeAll(id)
      else await owner.submit('/api/auth/signout', {})
      advance(5)
      t.equal(await idIn(thief), null, `${end}: renewed by the thief`)
      t.equal(await idIn(newBrowser(token)), null, `${end}: the copy`)
    }
  })
}

t.test('a link with a token that the application generates is opened at another application', async (t) => {
  const generators = [() => '12345678901234567890', () => 'p1.admin.token', () => 'a.b.c.d.e.f', () => randomUUID()]
  for (const generateVerificationToken of generators)
    for (const acceptUnbound of [undefined, true]) {
      const sent: string[] = []
      const sendVerificationRequest = ({ url }: { readonly url: string }) => void sent.push(url)
      const shop = { providers: [mails({ generateVerificationToken, sendVerificationRequest })] }
      for (const admin of [shop, { providers: [mails()] }]) {
        const two = await startTwo(t, { strategy: 'database', both: { acceptUnbound }, shop, admin })
        const owner = two.newBrowser('shop')
        await owner.submit('/shop/api/auth/signin/email', { email: address })
        const url = sent.at(-1) ?? ''
        const token = new URL(url).searchParams.get('token') ?? ''
        const thief = two.newBrowser('admin')
        const page = await thief.open(url.replace('/shop/', '/admin/'), { headers: fromAfar })
        if (page.status === 200) await thief.fill(page, 'form[method=post]').catch(() => undefined)
        for (const fields of [
          { token, email: address },
          { code: token, email: address }
        ])
          await thief.submit('/admin/api/auth/callback/email', fields)
        const reach = async (browser: Browser, name: string) =>
          (await browser.request('GET', `/${name}/me`, { headers: script })).status
        t.equal(await reach(thief, 'admin'), 401, token)
        await owner.open(url, { headers: fromAfar })
        t.equal(await reach(owner, 'shop'), 200, `${token} works at home`)
      }
    }
})

t.test('a token that the application generates is used for another address, as a code, or twice', async (t) => {
  const sent: string[] = []
  const mail = {
    generateVerificationToken: () => randomUUID(),
    sendVerificationRequest: ({ url }: { readonly url: string }) => void sent.push(url)
  }
  const started = await startAccounts(t, { mail })
  const { newBrowser } = started
  const victim = newBrowser()
  await victim.submit('/api/auth/signin/email', { email: address })
  const thief = newBrowser()
  await thief.submit('/api/auth/signin/email', { email: 'mallory@evil.test' })
  const [ownersUrl = '', url = ''] = sent
  const token = new URL(url).searchParams.get('token') ?? ''
  for (const text of [token, `${token}.`, ` ${token}`, token.toUpperCase()]) {
    const link = new URL(url)
    link.searchParams.set('email', address)
    link.searchParams.set('token', text)
    const page = await thief.open(link.href)
    if (page.status === 200) await thief.fill(page, 'form[method=post]').catch(() => undefined)
    await thief.submit('/api/auth/callback/email', { token: text, code: text, email: address })
    t.equal(await idIn(thief), null, text)
  }
  await victim.open(ownersUrl, { headers: fromAfar })
  t.ok(await idIn(victim), 'the link of the victim still works')
  const again = newBrowser()
  const page = await again.open(ownersUrl)
  if (page.status === 200) await again.fill(page, 'form[method=post]').catch(() => undefined)
  t.equal(await idIn(again), null)
})

t.test('one token for two addresses: a stranger who uses it does not end the link of the owner', async (t) => {
  const sent: string[] = []
  const mail = {
    generateVerificationToken: () => 'one token for everybody',
    sendVerificationRequest: ({ url }: { readonly url: string }) => void sent.push(url)
  }
  const started = await startAccounts(t, { mail })
  const [victim, thief] = [started.newBrowser(), started.newBrowser()]
  await victim.submit('/api/auth/signin/email', { email: address })
  await thief.submit('/api/auth/signin/email', { email: 'mallory@evil.test' })
  await thief.open(sent[1] ?? '', { headers: fromAfar })
  t.ok(await idIn(thief))
  await victim.open(sent[0] ?? '', { headers: fromAfar })
  t.ok(await idIn(victim))
  t.not(await idIn(victim), await idIn(thief))
})

t.test('email-4: a link whose token the application generates is guessed: it is too long for that', async (t) => {
  const sent: string[] = []
  const sendVerificationRequest = ({ url }: { readonly url: string }) => void sent.push(url)
  const short = ['123456', '4711', 'abcdefghij', '0123456789abcde', 'ABCD-EFGH']
  for (const token of short) {
    const { newBrowser, log } = await startAccounts(t, {
      mail: { sendVerificationRequest, generateVerificationToken: () => token }
    })
    const refused = await newBrowser().submit('/api/auth/signin/email', { email: address })
    t.match(refused.location, /error=Configuration/, token)
    t.ok(
      log.some((line) => line.includes('providers.email.generateVerificationToken')),
      'the log names it'
    )
  }
  t.same(sent, [])
})

/** An application whose limits follow the clock of the test. */
async function startLimited(t: Test) {
  const limiter = createClockLimiter()
  const started = await startAccounts(t, { rateLimit: { limiter } })
  limiter.now = started.clock.now
  return started
}

t.test('bogus callbacks from the address of a known device do not stop it', async (t) => {
  const started = await startLimited(t)
  const { app, clock } = started
  const owner = browserAt(app, clock, '7.7.7.7')
  await signInAtIssuer(started, owner, vera)
  await owner.submit('/api/auth/signout', {})
  const thief = browserAt(app, clock, '7.7.7.7')
  for (let turn = 0; turn < 70; turn++) await thief.open('/api/auth/callback/demo?code=a&state=b')
  t.equal((await thief.open('/api/auth/callback/demo?code=a&state=b')).status, 429)
  await signInAtIssuer(started, owner, vera)
  t.ok(await idIn(owner))
  t.equal((await signInAtIssuer(started, browserAt(app, clock, '7.7.7.7'), mallory)).status, 429, 'a new device')
})

t.test('the cookie of a known device is no way around the limit of callbacks', async (t) => {
  const started = await startLimited(t)
  const { app, clock } = started
  const thief = browserAt(app, clock, '6.6.6.6')
  await signInAtIssuer(started, thief, mallory)
  const statuses: number[] = []
  for (let turn = 0; turn < 200; turn++)
    statuses.push((await thief.open('/api/auth/callback/demo?code=a&state=b')).status)
  t.ok(statuses.filter((status) => status !== 429).length <= 120)
})
