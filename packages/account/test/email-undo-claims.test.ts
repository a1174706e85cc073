import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import type { Feature } from '@postern/core/feature'
import type { Browser, Person } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  type AccountApplication,
  accountPath,
  ada,
  base,
  comeBack,
  first,
  getAddress,
  openAccountApplication,
  origin,
  signIn,
  strategies
} from './account-application.ts'
import {
  askForEmail,
  changeEmail,
  emailPath,
  getEmail,
  getId,
  getMail,
  getToken,
  getUndoUrl,
  grace,
  undo
} from './email-application.ts'
import { copy } from './second-factor-stage.ts'
import { day, linkAcme, mallory, openWithOldProofs, person, signInAtAcme, thiefsPerson } from './undo-application.ts'

async function openSession(app: AccountApplication, address: string = ada): Promise<Browser> {
  const browser = app.newBrowser()
  await signIn(browser, address, first)
  return browser
}

/** An adapter without transactions, of which one update of a user fails. */
function createFailing() {
  const { transact: _, createUserWithAccount: _together, ...inner } = memoryAdapter()
  let isFailing = false
  const adapter: Adapter = {
    ...inner,
    updateUser: async (user) => {
      if (isFailing && user.email !== undefined) {
        isFailing = false
        throw new Error('another user has just got the address')
      }
      return inner.updateUser?.(user) as never
    }
  }
  const fail = (): void => {
    isFailing = true
  }
  return { adapter, fail, isFailing: () => isFailing }
}

for (const isFailed of [false, true])
  t.test(
    `without transactions, the owner adds a second factor after a change${isFailed ? ' and one that failed' : ''}`,
    async (t) => {
      const { adapter, fail, isFailing } = createFailing()
      const { app, id } = await openWithOldProofs(t, 'database', { adapter })
      const owner = await openSession(app)
      await changeEmail(app, owner, grace)
      t.equal(await getEmail(app, id), grace)
      if (isFailed) {
        await askForEmail(owner, mallory)
        const token = getToken(getMail(app, mallory).url)
        fail()
        await owner.submit(`${emailPath}/confirm`, { token })
        t.equal(isFailing(), false)
        t.equal(await getEmail(app, id), grace, 'the change has failed')
      }
      app.clock.advance(61)
      const session = await openSession(app, grace)
      const started = await session.submit(`${base}/factors/totp/start`, {})
      t.match(started.location, /factors\/totp$/, `${started.location}`)
      const again = await signInAtAcme(app, app.newBrowser())
      const startedAgain = await again.submit(`${base}/factors/totp/start`, {})
      t.match(startedAgain.location, /factors\/totp$/, `${startedAgain.location}`)
    }
  )

const forged = (undoId: string) => ({
  session_claims: { account: { provider: 'acme', providerAccountId: 'ada', undoId } },
  session_auth: { amr: ['mfa'] }
})

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: the application's callbacks drop no claim, and a patch forges none`, async (t) => {
    const undoId = 'forged'
    const { app, id } = await openWithOldProofs(t, strategy, {
      callbacks: {
        jwt: ({ token, session }: { token: { email?: unknown }; session?: object }) =>
          session ? { ...token, ...session, ...forged(undoId) } : { email: token.email, ...forged(undoId) },
        session: ({ session, claims }: { session: object; claims?: unknown }) => {
          t.equal(claims, undefined, 'the callback does not receive the claims')
          return session
        }
      }
    })
    const patch = async (browser: Browser) => {
      const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
      const headers = { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' }
      const body = JSON.stringify({ csrfToken, data: { ...forged(undoId), claims: forged(undoId).session_claims } })
      return browser.request('POST', `${base}/session`, { headers, body })
    }
    const stolen = await openSession(app)
    await linkAcme(app, stolen, thiefsPerson)
    const old = copy(app, stolen)
    await changeEmail(app, await openSession(app), mallory)
    const owner = await signInAtAcme(app, app.newBrowser())
    await owner.open(`${base}/session`)
    await patch(old)
    await old.open(`${base}/session`)
    t.equal((await undo(old, getUndoUrl(app))).status, 403)
    t.match((await old.submit(`${base}/factors/totp/start`, {})).location, /\/verify\?.*max_age=0/)
    t.equal((await patch(owner)).status, 200)
    app.clock.advance(120)
    await owner.open(`${base}/session`)
    await owner.submit(`${accountPath}/devices/end-others`, {})
    t.equal(await getAddress(old), null)
    t.equal((await undo(owner, getUndoUrl(app))).status, 200, 'the claims of the owner are kept')
    t.equal(await getEmail(app, id), ada)
  })

  test(`${strategy}: a renewed session keeps its claims`, async (t) => {
    const { app } = await openWithOldProofs(t, strategy)
    await changeEmail(app, await openSession(app), mallory)
    // Connected after the change: a session of it proves nothing, and never could.
    await linkAcme(app, await openSession(app, mallory), thiefsPerson)
    const thief = await signInAtAcme(app, app.newBrowser(), thiefsPerson)
    const owner = await signInAtAcme(app, app.newBrowser())
    for (let count = 0; count < 3; count++) {
      app.clock.advance(day + 60)
      for (const browser of [thief, owner]) await browser.open(`${base}/session`)
    }
    const isAsked = async (browser: Browser) =>
      (await browser.open(getUndoUrl(app))).body.includes('For changes, confirm that it is you')
    t.equal(await isAsked(thief), false, 'nothing to authenticate again with')
    t.equal(await isAsked(owner), true)
  })

  test(`${strategy}: the pages of links are no open redirects`, async (t) => {
    const { app } = await openWithOldProofs(t, strategy)
    const undoPage = `${emailPath}/undo`
    const evil = [
      `https://evil.example${undoPage}`,
      `//evil.example${undoPage}`,
      `${undoPage}/../../../../../..//evil.example`,
      `${undoPage}%2f..%2f..%2f`,
      `${undoPage}/..%5c..%5cevil.example`,
      `\\\\evil.example${undoPage}`,
      `${origin}@evil.example${undoPage}`,
      `https://ada:b@app.test${undoPage}`,
      `javascript:${undoPage}`,
      `${undoPage};@evil.example`,
      `${undoPage}//evil.example`,
      `${base}/signout`,
      `${base}/account/email/undo/x`,
      `${base}/account/connections/remove`,
      `${base}/signin?callbackUrl=${undoPage}`
    ]
    for (const callbackUrl of evil) {
      const browser = app.newBrowser()
      const page = await browser.open(`${base}/signin?${new URLSearchParams({ callbackUrl })}`)
      const back = await browser.fill(page, `${base}/callback/password`, { email: ada, password: first })
      const target = new URL(back.location ?? '', origin)
      t.equal(target.origin, origin, callbackUrl)
      t.notMatch(target.pathname, /^\/api\/auth\/(?!account\/email\/(undo|confirm)$)/, callbackUrl)
    }
    for (const url of [`${undoPage}?token=x`, `${emailPath}/confirm?token=x`]) {
      const browser = await openSession(app)
      const page = await browser.open(url)
      t.equal(page.status < 500 && page.location === null, true, 'no loop')
      t.match(page.headers['referrer-policy'] ?? page.headers, /no-referrer|strict-origin|same-origin/)
      const again = await app.newBrowser().open(`${base}/signin?${new URLSearchParams({ callbackUrl: origin + url })}`)
      t.match(again.headers['referrer-policy'] ?? again.headers, /no-referrer|strict-origin|same-origin/)
    }
  })

  test(`${strategy}: after an undo, a sign-in without a page of its own does not lead to the used link`, async (t) => {
    const { app } = await openWithOldProofs(t, strategy)
    await changeEmail(app, await openSession(app), mallory)
    const owner = app.newBrowser()
    const page = await owner.open(getUndoUrl(app))
    const signInUrl = page.html().querySelector('a[href*="/signin?"]')?.getAttribute('href') ?? ''
    const form = await owner.open(signInUrl.replace(origin, ''))
    await comeBack(app, owner, await owner.fill(form, `${base}/signin/acme`), person)
    await owner.open(getUndoUrl(app))
    const undone = await undo(owner, getUndoUrl(app))
    t.equal(undone.status, 200)
    const links = undone
      .html()
      .querySelectorAll('a')
      .map((link) => link.getAttribute('href') ?? '')
    const next = await owner.open(
      (links.find((href) => href.includes('/signin')) ?? `${base}/signin`).replace(origin, '')
    )
    const back = await comeBack(app, owner, await owner.fill(next, `${base}/signin/acme`), person)
    t.notMatch(back.location, 'undo?token=', `${(await owner.open(back.location ?? '')).status}`)
  })
}

/** A page of the application that every sign-in must pass, such as new terms. */
const createTerms = (): { isDue: boolean; readonly feature: Feature } => {
  const terms = {
    isDue: false,
    feature: {
      id: 'terms',
      setup: () => ({
        texts: { en: { title: 'Terms' } },
        screens: [{ name: 'terms', title: 'title', component: async () => null, plain: () => ({ text: 'Terms' }) }],
        interruptions: [
          {
            id: 'terms',
            order: 400,
            isDue: () => terms.isDue,
            show: (_signIn: unknown, request: { screen: (name: string, props: object) => unknown }) =>
              request.screen('terms', {}),
            verify: () => 'passed' as const
          }
        ]
      })
    } as never as Feature
  }
  return terms
}

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: a sign-in from before the change that is completed after it proves no undo`, async (t) => {
    const terms = createTerms()
    const { app, id } = await openWithOldProofs(t, strategy, { features: [terms.feature] })
    const owner = await openSession(app)
    const device = app.newBrowser()
    terms.isDue = true
    await signInAtAcme(app, device)
    // A thief has stolen the cookies of the device before the change.
    const stolen = copy(app, device)
    await changeEmail(app, owner, grace)
    t.equal(await getEmail(app, id), grace)
    await stolen.submit(`${base}/verify/terms`, {})
    t.equal((await undo(stolen, getUndoUrl(app))).status, 403)
    t.equal(await getEmail(app, id), grace)
    t.match((await stolen.submit(`${base}/factors/totp/start`, {})).location, /verify\?.*max_age=0|signin/)
  })

  test(`${strategy}: a link from before the change that is confirmed after it proves no undo`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    const owner = await openSession(app)
    const device = await openSession(app)
    await comeBack(app, device, await device.submit(`${base}/signin/acme`, {}), thiefsPerson)
    await changeEmail(app, owner, grace)
    await device.submit(`${base}/verify/link`, {})
    t.equal((await app.adapter.getAccounts?.(id))?.length, 1, 'the page named another address')
    await comeBack(app, device, await device.submit(`${base}/signin/acme`, {}), thiefsPerson)
    await device.fill(await device.open(`${base}/verify/link`), `${base}/verify/link`)
    t.equal((await app.adapter.getAccounts?.(id))?.length, 2, 'linked')
    t.equal((await undo(device, getUndoUrl(app))).status, 403)
    t.match((await device.submit(`${base}/factors/totp/start`, {})).location, /verify\?.*max_age=0/)
    t.equal(await getEmail(app, id), grace)
  })

  test(`${strategy}: two links of one account at once prove no undo, and make no session of another account`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    const owner = await openSession(app)
    const device = await openSession(app)
    const tabs = [copy(app, device), copy(app, device)]
    await changeEmail(app, owner, grace)
    const urls = await Promise.all(
      tabs.map(async (tab) => {
        const started = await tab.submit(`${base}/signin/acme`, { link: 'true' })
        return (await app.issuer.authorize(started.location ?? '', thiefsPerson)).replace(origin, '')
      })
    )
    await Promise.all(tabs.map((tab, index) => tab.open(urls[index] ?? '')))
    for (const tab of tabs) {
      t.equal((await undo(tab, getUndoUrl(app))).status, 403)
      t.notMatch((await tab.submit(`${base}/factors/totp/start`, {})).body, '<code')
    }
    t.equal(await getEmail(app, id), grace)
    t.same(await app.adapter.listFactors?.(id, 'factors-totp'), [])
  })
}

t.test('an application that hides the page of the address guards the undo of another one', async (t) => {
  const adapter = memoryAdapter()
  const app = await openAccountApplication(t, 'database', { adapter })
  const owner = await signInAtAcme(app, app.newBrowser(), { ...person, email_verified: true } as Person)
  const id = await getId(app, ada)
  const beside = await openAccountApplication(t, 'database', {
    adapter,
    runtime: { now: app.clock.now },
    accountPages: { hidden: ['account/email'] }
  })
  const thief = copy(app, owner)
  await changeEmail(app, thief, mallory)
  t.equal(await getEmail(app, id), mallory)
  const other = copy(beside, thief)
  const refused = await other.submit(`${accountPath}/connections/remove`, {
    provider: 'acme',
    providerAccountId: 'ada'
  })
  t.equal(refused.status, 400, `${refused.location}`)
  app.clock.advance(1)
  const proof = await signInAtAcme(app, app.newBrowser())
  t.equal((await undo(proof, getUndoUrl(app))).status, 200)
})
