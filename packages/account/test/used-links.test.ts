import type { Browser, BrowserResponse } from '@postern/testkit'
import { inTurn } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  type AccountApplication,
  ada,
  base,
  createUser,
  findUser,
  first,
  forget,
  openAccountApplication,
  origin,
  second,
  signUp,
  strategies
} from './account-application.ts'
import { getToken } from './email-application.ts'
import { callback, openForSignUps, signUpWithPasskey } from './passkey-sign-up-application.ts'

/** A mailed confirmation that waits. */
interface Waiting {
  readonly app: Pick<AccountApplication, 'auth' | 'clock' | 'newBrowser'>
  readonly browser: Browser
  /** The values of its form. */
  readonly values: Readonly<Record<string, string>>
}

interface Confirmation {
  readonly path: string
  /** The name of the form's field that proves the mailbox. */
  readonly proof: 'token' | 'code'
  readonly open: (t: Test, strategy: (typeof strategies)[number]) => Promise<Waiting>
  readonly done: RegExp
  /** The status of a link that is of no use. */
  readonly refused: number
  /** The seconds after which it expires. */
  readonly maxAge: number
}

const hour = 3600

async function openUser(t: Test, strategy: (typeof strategies)[number]) {
  const app = await openAccountApplication(t, strategy)
  return { app, browser: await createUser(app) }
}

async function signUpAnew(t: Test, strategy: (typeof strategies)[number]) {
  const app = await openAccountApplication(t, strategy)
  const browser = app.newBrowser()
  await signUp(browser, ada, first)
  return { app, browser, mail: app.mailbox.last() }
}

const onceAnHour = { maxAge: hour, refused: 400, done: /Already done/ } as const

const confirmations: Readonly<Record<string, Confirmation>> = {
  'a reset of the password': {
    ...onceAnHour,
    ...{ path: `${base}/password/reset`, proof: 'token' },
    open: async (t, strategy) => {
      const { app, browser } = await openUser(t, strategy)
      await forget(browser, ada)
      return { app, browser, values: { token: getToken(app.mailbox.last().url), password: second } }
    }
  },
  'a sign-up with a password': {
    ...onceAnHour,
    ...{ path: `${base}/callback/password-sign-up`, proof: 'token' },
    open: async (t, strategy) => {
      const { app, browser, mail } = await signUpAnew(t, strategy)
      return { app, browser, values: { token: getToken(mail.url) } }
    }
  },
  'a sign-up with a passkey': {
    ...onceAnHour,
    ...{ path: callback, proof: 'token' },
    open: async (t, strategy) => {
      const app = await openForSignUps(t, strategy)
      const browser = app.newBrowser()
      await signUpWithPasskey(browser, ada)
      return { app, browser, values: { token: getToken(app.mailbox.last().url) } }
    }
  }
}

/** Opens the page that a response leads to, unless it is one of the application. */
const follow = async (browser: Browser, response: BrowserResponse): Promise<BrowserResponse> =>
  response.location && response.location !== origin ? browser.open(response.location) : response

const someStrategies = inTurn(strategies)
const nextStep = /Continue|Sign in|Sign out|Back to your account/

for (const [name, { path, proof, open, done, refused, maxAge }] of Object.entries(confirmations)) {
  const isRefused = (t: Test, { status, body }: BrowserResponse, message: string): void => {
    t.equal(status, refused, message)
    t.notMatch(body, done, message)
  }

  t.test(`${name}: a repeated form answers that it is done`, async (t) => {
    for (const strategy of someStrategies()) {
      const { app, browser, values } = await open(t, strategy)
      const confirmed = await browser.submit(path, values)
      t.ok([200, 302, 303].includes(confirmed.status), `${confirmed.status}`)
      const repeated = await follow(browser, await browser.submit(path, values))
      t.match({ status: repeated.status, body: repeated.body }, { status: 200, body: done })
      t.match(repeated.body, nextStep)
      const other = proof === 'token' ? 'A'.repeat(43) : 'BBBB-BBBB'
      t.ok((await browser.submit(path, { ...values, [proof]: other })).status >= 400, 'another proof says nothing')
      app.clock.advance(maxAge + 1)
      t.notMatch((await browser.submit(path, values)).body, done, 'it is forgotten when the link would have expired')
    }
  })

  t.test(`${name}: a link or code that never worked, or has expired, is refused as before`, async (t) => {
    for (const strategy of someStrategies()) {
      const { app, browser, values } = await open(t, strategy)
      const other = proof === 'token' ? 'A'.repeat(43) : 'BBBB-BBBB'
      isRefused(t, await browser.submit(path, { ...values, [proof]: other }), 'never valid')
      app.clock.advance(maxAge + 1)
      const late = await browser.submit(path, values)
      t.ok(late.status >= 400, `expired: ${late.status}`)
      t.notMatch(late.body, done, 'expired')
    }
  })

  t.test(`${name}: of two forms at once, one confirms, and both say so`, async (t) => {
    for (const strategy of someStrategies()) {
      const { browser, values } = await open(t, strategy)
      const both = await Promise.all([browser.submit(path, values), browser.submit(path, values)])
      for (const response of both) {
        // One that finds the address locked is repeated.
        const answer = response.status === 409 ? await browser.submit(path, values) : response
        const page = await follow(browser, answer)
        t.ok(page.status === 200 || page.location === origin, `${page.status}`)
        t.notMatch(page.body, /no longer works|same browser/)
      }
    }
  })
}

t.test('a link that something else has ended does not say that it is done', async (t) => {
  for (const strategy of someStrategies()) {
    const { app, browser } = await openUser(t, strategy)
    const { id = '' } = (await findUser(app, ada)) ?? {}
    const ask = async (): Promise<string> => {
      await forget(browser, ada)
      return getToken(app.mailbox.last().url)
    }
    const suspended = await ask()
    await app.auth.users.suspend(id)
    await app.auth.users.resume(id)
    const [older, newer] = [await ask(), await ask()]
    const reset = (token: string, headers = {}): Promise<BrowserResponse> =>
      app.newBrowser().submit(`${base}/password/reset`, { token, password: second }, { headers })
    t.match((await reset(newer)).location, /password\/changed/)
    for (const token of [suspended, older]) {
      const { status, body } = await reset(token)
      t.match([status, body], [400, 'This link no longer works'])
    }
    const { status, body } = await reset(newer, { accept: 'application/json' })
    t.match([status, JSON.parse(body)], [200, { screen: 'password/used' }])
  }
})
