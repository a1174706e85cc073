import type { Browser, BrowserResponse } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  type AccountApplication,
  ada,
  base,
  change,
  createUser,
  first,
  getAddress,
  openAccountApplication,
  origin,
  second,
  signIn,
  signInByMail,
  strategies
} from './account-application.ts'
import { changeEmail, getId, grace, linkAcme, person } from './email-application.ts'
import { createPaused } from './interrupted-store.ts'
import { addPasskey, getAuthentication, signInWithPasskey } from './passkey-application.ts'
import { addFactorPasskey, enroll } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'

const sessionCookie = '__Secure-next-auth.session-token'

/** A change of what the user signs in with: it is prepared, and then made. */
interface Change {
  /** Whether the other sessions of the user continue. */
  readonly keepsOthers: boolean
  readonly prepare: (app: AccountApplication, browser: Browser) => Promise<() => Promise<unknown>>
}

const submit = (browser: Browser, path: string, values: Readonly<Record<string, string>> = {}) =>
  browser.submit(base + path, values)

const changes: Readonly<Record<string, Change>> = {
  'a password is changed': {
    keepsOthers: false,
    prepare: async (app, browser) => {
      app.clock.advance(5 * 86_400)
      return () => change(browser, { password: second })
    }
  },
  'an app is set up': { keepsOthers: false, prepare: async (app, browser) => () => enroll(app, browser) },
  'an app is removed': {
    keepsOthers: false,
    prepare: async (app, browser) => {
      const { app: phone } = await enroll(app, browser)
      return () => submit(browser, '/factors/totp/remove', { code: phone.code() })
    }
  },
  'recovery codes are replaced': {
    keepsOthers: true,
    prepare: async (app, browser) => {
      const { app: phone } = await enroll(app, browser)
      return () => submit(browser, '/factors/recovery-codes', { code: phone.code() })
    }
  },
  'the first second factor, a passkey, is added': {
    keepsOthers: false,
    prepare: async (app, browser) => () => addFactorPasskey(app, browser, createAuthenticator({ origin }))
  },
  'another passkey is added': {
    keepsOthers: true,
    prepare: async (app, browser) => {
      const key = createAuthenticator({ origin })
      await addFactorPasskey(app, browser, key)
      await signInWithPasskey(browser, key)
      return () => addPasskey(browser, createAuthenticator({ origin }))
    }
  },
  'a passkey is removed': {
    keepsOthers: false,
    prepare: async (app, browser) => {
      const key = createAuthenticator({ origin })
      await addFactorPasskey(app, browser, key)
      await signInWithPasskey(browser, key)
      const [known] = await app.auth.features.passkey.list(await getId(app, ada))
      return () => submit(browser, `/passkeys/${known?.id}/remove`)
    }
  },
  'the other sessions are ended': {
    keepsOthers: false,
    prepare: async (_app, browser) => () => submit(browser, '/account/devices/end-others')
  },
  'the address is changed': {
    keepsOthers: false,
    prepare: async (app, browser) => () => changeEmail(app, browser, grace)
  },
  'an account is connected': { keepsOthers: true, prepare: async (app, browser) => () => linkAcme(app, browser) },
  'an account is disconnected': {
    keepsOthers: false,
    prepare: async (app, browser) => {
      await linkAcme(app, browser)
      await signIn(browser, ada, first)
      return () => submit(browser, '/account/connections/remove', { provider: 'acme', providerAccountId: person.sub })
    }
  }
}

/** What a session knows, without its id. */
async function getFacts(app: AccountApplication, browser: Browser) {
  const { sessionId: _, ...facts } = (await getAuthentication(app, browser)) ?? {}
  return facts
}

const turns = turnsOf(strategies, t)

// OWASP Session Management Cheat Sheet: "Renew the Session ID After Any Privilege Level Change".
for (const [name, { prepare, keepsOthers }] of Object.entries(changes))
  for (const { value: strategy, test } of turns())
    test(`cookie-1: ${strategy}: a copy of the cookie is worth nothing after ${name}, and the session continues`, async (t) => {
      // The other session is asked for no second factor.
      const app = await openAccountApplication(t, strategy, { secondFactor: { satisfiedBy: () => true } })
      const browser = await createUser(app)
      const make = await prepare(app, browser)
      const other = app.newBrowser()
      if (keepsOthers) await signInByMail(other, ada, app.mailbox)
      const [stolen, id] = [copy(app, browser), await getId(app, ada)]
      const [facts, sessions] = [await getFacts(app, browser), await app.auth.sessions.list(id)]
      t.ok(await getAddress(stolen))
      await make()
      t.equal(await getAddress(stolen), null, 'the copy')
      t.ok(stolen.cookies.get(sessionCookie), 'a late answer would clear the cookie of the owner')
      t.ok(await getAddress(browser), 'the session')
      t.same(await getFacts(app, browser), facts, 'nothing else of the session has changed')
      if (keepsOthers) t.ok(await getAddress(other), 'the other session')
      const left = await app.auth.sessions.list(id)
      t.equal(left.length, keepsOthers ? sessions.length : 1, 'no session is left over')
    })

/** A form that is sent twice, and its page. @returns What a click does. */
type Click = (browser: Browser) => Promise<BrowserResponse>
const clicks: Readonly<
  Record<
    string,
    { readonly page: RegExp; readonly prepare: (app: AccountApplication, browser: Browser) => Promise<Click> }
  >
> = {
  'Save password': {
    page: /\/password$/,
    prepare: async () => (browser) => submit(browser, '/password', { currentPassword: first, password: second })
  },
  'Sign out other devices': {
    page: /\/account\/devices$/,
    prepare: async () => (browser) => submit(browser, '/account/devices/end-others')
  },
  Disconnect: {
    page: /\/account\/connections$/,
    prepare: async (app, browser) => {
      await linkAcme(app, browser)
      await signIn(browser, ada, first)
      const account = { provider: 'acme', providerAccountId: person.sub }
      return (one) => submit(one, '/account/connections/remove', account)
    }
  },
  'Turn off': {
    page: /\/factors\/totp$/,
    prepare: async (app, browser) => {
      const { app: phone } = await enroll(app, browser)
      return (one) => submit(one, '/factors/totp/remove', { code: phone.code() })
    }
  },
  Remove: {
    page: /\/passkeys\/[^/]+$/,
    prepare: async (app, browser) => {
      await addPasskey(browser, createAuthenticator({ origin }))
      const [known] = await app.auth.features.passkey.list(await getId(app, ada))
      return (one) => submit(one, `/passkeys/${known?.id}/remove`)
    }
  }
}

for (const [name, { page, prepare }] of Object.entries(clicks))
  for (const { value: strategy, test } of turns())
    test(`${strategy}: a second click on "${name}" leads to its page, which shows that it is done`, async (t) => {
      const app = await openAccountApplication(t, strategy, { secondFactor: { satisfiedBy: () => true } })
      const browser = await createUser(app)
      const click = await prepare(app, browser)
      const late = copy(app, browser)
      const before = late.cookies.get(sessionCookie)
      t.match((await click(browser)).status, 302)
      const { status, location } = await click(late)
      t.match([status, location], [302, page])
      t.equal(late.cookies.get(sessionCookie), before, 'a late answer would clear the cookie of the first one')
      const shown = await browser.followAll(await browser.open(location ?? ''))
      t.equal(shown.status, 200, 'the browser has the new token')
      t.equal(await getAddress(browser), ada)
      t.match((await late.open(location ?? '')).location, /SessionRequired&callbackUrl=/, 'whose session has ended')
    })

t.test('a password that is set replaces the token', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = app.newBrowser()
  await signInByMail(browser, ada, app.mailbox)
  const stolen = copy(app, browser)
  t.match((await change(browser, { password: second })).location, '/password/changed')
  t.equal(await getAddress(stolen), null)
  t.equal(await getAddress(browser), ada)
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: of requests with one token at once, those that come late do not sign the browser out`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const late = copy(app, browser)
    await Promise.all([
      submit(browser, '/account/devices/end-others'),
      ...Array.from({ length: 3 }, () => browser.json(`${base}/session`))
    ])
    t.equal(await getAddress(browser), ada)
    const before = late.cookies.get(sessionCookie)
    for (const path of ['/session', '/account', '/signin']) await late.open(base + path)
    t.equal(late.cookies.get(sessionCookie), before)
    await late.submit(`${base}/signout`, {})
    t.notOk(late.cookies.get(sessionCookie), 'who signs out has no cookie')
    t.equal(await getAddress(browser), ada, 'a token that has ended ends nothing')
  })

t.test('a session that was ended while it gets a new token has ended', async (t) => {
  for (const strategy of strategies) {
    const { adapter, arm, isArmed } = createPaused('createFactor')
    const app = await openAccountApplication(t, strategy, { adapter })
    const browser = await createUser(app)
    const id = await getId(app, ada)
    const [own] = await app.auth.sessions.list(id)
    arm(() => app.auth.sessions.revoke(own?.id ?? '', id))
    await addFactorPasskey(app, browser, createAuthenticator({ origin }))
    t.notOk(isArmed())
    t.equal(await getAddress(browser), null, strategy)
    t.same(await app.auth.sessions.list(id), [], strategy)
    t.same(await app.auth.features.passkey.list(id), [], strategy)
  }
})
