import { type Feature, json } from '@postern/core/feature'
import type { Browser, BrowserResponse } from '@postern/testkit'
import t from 'tap'
import {
  type ApplicationOptions,
  ada,
  base,
  createUser,
  first,
  getAddress,
  openApplication,
  signIn,
  strategies
} from './password-application.ts'

const day = 86_400
const ticked = { remember: 'on' }

/** Signs in with the form of the page. */
const fillForm = async (browser: Browser, values: Readonly<Record<string, string>> = {}): Promise<BrowserResponse> =>
  browser.fill(await browser.open(`${base}/signin`), `${base}/callback/password`, {
    email: ada,
    password: first,
    ...values
  })

/** How long the browser keeps the new session. */
const getMaxAge = ({ setCookies }: BrowserResponse): number | null | undefined =>
  setCookies.find(({ name, value }) => name.endsWith('session-token') && value !== '')?.maxAge

/** A second step of every sign-in, which a click passes. */
const secondStep: Feature = {
  id: 'step',
  setup: () => ({
    interruptions: [
      { id: 'click', order: 400, isDue: () => true, show: () => json({ step: 'click' }), verify: () => 'passed' }
    ]
  })
}

async function open(t: Parameters<typeof openApplication>[0], options: ApplicationOptions) {
  const app = await openApplication(t, 'database', options)
  await createUser(app)
  return app
}

for (const strategy of strategies)
  t.test(`${strategy}: a session ends with the browser unless the user ticks the box`, async (t) => {
    const app = await openApplication(t, strategy, { password: { remember: true } })
    await createUser(app)
    const browser = app.newBrowser()
    const page = await browser.open(`${base}/signin`)
    const box = page.html().querySelector('input[type=checkbox][name=remember]')
    t.ok(box)
    t.notOk(box?.getAttribute('checked'))
    t.match(page.body, 'Stay signed in')
    t.equal(getMaxAge(await fillForm(browser)), null)
    t.equal(await getAddress(browser), ada)
    app.clock.advance(2 * day)
    t.equal(await getAddress(browser), ada)
    const kept = app.newBrowser()
    t.equal(getMaxAge(await fillForm(kept, ticked)), 30 * day)
    const script = await app
      .newBrowser()
      .submit(`${base}/callback/password`, { email: ada, password: first, ...ticked })
    t.equal(getMaxAge(script), 30 * day)
  })

t.test('without the option, there is no box, and what is posted does not matter', async (t) => {
  const app = await open(t, {})
  const browser = app.newBrowser()
  t.notOk((await browser.open(`${base}/signin`)).html().querySelector('input[name=remember]'))
  t.equal(getMaxAge(await signIn(browser, ada, first)), 30 * day)
})

t.test('session.remember is asked for those who ticked the box only', async (t) => {
  const asked: string[] = []
  const remember = ({ user }: { user: { email?: string | null } }): number => {
    asked.push(user.email ?? '')
    return 90 * day
  }
  const app = await open(t, {
    password: { remember: true },
    session: { strategy: 'database', remember, maxAge: 365 * day }
  })
  asked.length = 0
  t.equal(getMaxAge(await fillForm(app.newBrowser())), null)
  t.same(asked, [])
  t.equal(getMaxAge(await fillForm(app.newBrowser(), ticked)), 90 * day)
  t.same(asked, [ada])
})

t.test('a sign-in with a second step keeps what the user has chosen', async (t) => {
  const app = await openApplication(t, 'database', { password: { remember: true }, features: [secondStep] })
  const owner = await createUser(app)
  await owner.submit(`${base}/verify/click`, {})
  for (const [values, maxAge] of [
    [{}, null],
    [ticked, 30 * day]
  ] as const) {
    const browser = app.newBrowser()
    t.match((await fillForm(browser, values)).location, /verify/)
    t.equal(await getAddress(browser), null)
    t.equal(getMaxAge(await browser.submit(`${base}/verify/click`, {})), maxAge)
    t.equal(await getAddress(browser), ada)
  }
})
