import type { Browser } from '@postern/testkit'
import { callNumbers, inTurn } from '@postern/testkit/long'
import t from 'tap'
import {
  accountPath,
  ada,
  addPasskey,
  base,
  comeBack,
  createUser,
  first,
  openAccountApplication,
  origin,
  signIn
} from './account-application.ts'
import { emailPath, getId, grace } from './email-application.ts'
import { createOverlap } from './interrupted-store.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'
import { stores } from './stores.ts'
import { day, linkAcme } from './undo-application.ts'

type Act = (browser: Browser) => Promise<unknown>

const acts: Readonly<Record<string, Act>> = {
  profile: (browser) => browser.submit(`${accountPath}/profile`, { name: 'Mallory' }),
  disconnect: (browser) =>
    browser.submit(`${accountPath}/connections/remove`, { provider: 'acme', providerAccountId: 'ada' }),
  data: (browser) => browser.submit(`${accountPath}/data`, {}),
  'end-others': (browser) => browser.submit(`${accountPath}/devices/end-others`, {}),
  delete: (browser) => browser.submit(`${accountPath}/delete`, { confirmation: 'DELETE' }),
  email: (browser) => browser.submit(emailPath, { email: grace })
}

for (const [name, act] of Object.entries(acts))
  t.test(`a user who is deleted during a request of the account pages stays deleted: ${name}`, async (t) => {
    for (const index of callNumbers()) {
      const at = index + 1
      const { adapter, inner, arm, finish } = createOverlap()
      const app = await openAccountApplication(t, 'jwt', { adapter, accountPages: { deletionGracePeriod: 5 } })
      const browser = await createUser(app)
      await linkAcme(app, browser)
      const id = await getId(app, ada)
      arm(at, () => app.auth.deleteUser(id))
      const response = (await act(browser)) as { status: number }
      const before = await finish()
      if (before === null) {
        await app.auth.close()
        break
      }
      t.equal(await inner.getUser?.(id), null, `${at} ${before}`)
      t.same(await inner.getAccounts?.(id), [], `${at} ${before}`)
      t.ok(response.status < 500 || response.status === 503, `${at} ${before}: ${response.status}`)
      await app.auth.close()
    }
  })

t.test('a suspension during the request that schedules a deletion cancels it', async (t) => {
  for (const index of callNumbers()) {
    const at = index + 1
    const { adapter, inner, arm, finish } = createOverlap()
    const app = await openAccountApplication(t, 'database', { adapter, accountPages: { deletionGracePeriod: 5 } })
    const browser = await createUser(app)
    const id = await getId(app, ada)
    arm(at, () => app.auth.users.suspend(id))
    await acts['delete']?.(browser)
    const before = await finish()
    if (before !== null) {
      app.clock.advance(6 * day)
      await app.auth.features.account.deleteDue()
      t.ok(await inner.getUser?.(id), `${at} ${before}: the user stays`)
    }
    await app.auth.close()
    if (before === null) break
  }
})

t.test('the last way in stays, also if two are removed at once', async (t) => {
  for (const index of callNumbers()) {
    const at = index + 1
    const { adapter, inner, arm, finish } = createOverlap()
    const app = await openAccountApplication(t, 'database', { adapter })
    const browser = app.newBrowser()
    await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, {}), { sub: 'ada', name: 'Ada' })
    const user = await inner.getUserByAccount?.({ provider: 'acme', providerAccountId: 'ada' })
    const id = user?.id ?? ''
    await addPasskey(browser, createAuthenticator({ origin }))
    const [passkey] = (await inner.listFactors?.(id, 'passkey')) ?? []
    const other = copy(app, browser)
    const removePasskey = () => other.submit(`${base}/passkeys/${passkey?.id}/remove`, {})
    arm(at, removePasskey)
    await acts['disconnect']?.(browser)
    const before = await finish()
    const left = [...((await inner.getAccounts?.(id)) ?? []), ...((await inner.listFactors?.(id, 'passkey')) ?? [])]
    t.ok(left.length >= 1, `${at} ${before}: ${left.length}`)
    await app.auth.close()
    if (before === null) break
  }
})

const hostile: Readonly<Record<string, string>> = {
  markup: '"><script>alert(1)</script>{client}{site}',
  bidi: '\u202Egnp.exe\u2066',
  astral: '\u{1F600}'.repeat(100),
  surrogate: 'a\uD800b',
  control: 'a\r\nBcc: x@y.z\u0000\u2028c',
  zero: '\u200B'
}

const shownPaths = ['', '/profile', '/data', '/activity', '/devices', '/connections']
/** What is stored is one value for all pages: in `npm test` a store other than the first one shows it on one of them. */
const somePaths = inTurn(shownPaths)

for (const [index, [store, skip, openStore]] of stores.entries())
  t.test(`hostile names and browsers are stored and shown as text: ${store}`, { skip }, async (t) => {
    const app = await openAccountApplication(t, 'database', { adapter: await openStore(t) })
    const browser = await createUser(app)
    for (const [what, name] of Object.entries(hostile)) {
      const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
      for (const type of ['application/json', 'form']) {
        const response =
          type === 'form'
            ? await browser.submit(`${accountPath}/profile`, { name })
            : await browser.request('POST', `${accountPath}/profile`, {
                headers: { accept: 'application/json', 'content-type': type, origin, 'x-csrf-token': csrfToken },
                body: JSON.stringify({ name })
              })
        t.ok(response.status < 400, `${what} ${type}: ${response.status} ${response.body.slice(0, 80)}`)
        for (const path of index === 0 ? shownPaths : somePaths()) {
          const page = await browser.open(accountPath + path)
          t.equal(page.status, 200, `${what} ${path}`)
          t.notMatch(page.body, '<script>alert', what)
        }
      }
    }
    t.equal((await browser.submit(`${accountPath}/profile`, { name: '\u{1F600}'.repeat(101) })).status, 400)
    const agent = `Mozilla <b>${'x'.repeat(7000)}`
    const thief = app.newBrowser()
    await signIn(thief, ada, first, { 'user-agent': agent })
    for (const path of ['/activity', '/devices']) {
      const page = await browser.open(accountPath + path)
      t.equal(page.status, 200)
      t.notMatch(page.body, '<b>x')
    }
    await app.auth.close()
    t.notOk(app.mailbox.mails.some(({ text = '', subject }) => /<b>x|alert\(1\)/.test(text + subject)))
  })
