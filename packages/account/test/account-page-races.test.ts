import type { Adapter } from '@postern/core'
import type { Browser } from '@postern/testkit'
import { callNumbers, inTurn } from '@postern/testkit/long'
import t from 'tap'
import {
  type AccountApplication,
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
import { day, emailPath, getId, grace, linkAcme } from './email-application.ts'
import { decideDeletion, getDeletionUrl, schedule } from './grace-period-application.ts'
import { createOverlap } from './interrupted-store.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'
import { stores, storesAt } from './stores.ts'

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

const listDeletions = async ({ listDueTickets }: Adapter) =>
  (await listDueTickets?.('account.deletion', new Date('2999-01-01'), 10)) ?? []

for (const deletionGracePeriod of [5, undefined])
  t.test(`a suspension during the request that schedules a deletion cancels it: ${deletionGracePeriod}`, async (t) => {
    for (const index of callNumbers()) {
      const at = index + 1
      const { adapter, inner, arm, finish } = createOverlap()
      const app = await openAccountApplication(t, 'database', { adapter, accountPages: { deletionGracePeriod } })
      const browser = await createUser(app)
      const id = await getId(app, ada)
      let isWaiting = false
      arm(at, async () => {
        isWaiting = (await listDeletions(inner)).length > 0
        await app.auth.users.suspend(id)
      })
      await acts['delete']?.(browser)
      const before = await finish()
      if (before !== null) {
        app.clock.advance(8 * day)
        await app.auth.features.account.deleteDue()
        t.equal((await inner.getUser?.(id)) !== null, !isWaiting, `${at} ${before}: one that waits already stays`)
      }
      await app.auth.close()
      if (before === null) break
    }
  })

t.test(
  'the owner keeps the account during the confirmation of its deletion, or it is deleted as a whole',
  async (t) => {
    for (const index of callNumbers()) {
      const at = index + 1
      const { adapter, inner, arm, finish } = createOverlap()
      const app = await openAccountApplication(t, 'database', { adapter })
      const owner = await createUser(app)
      const id = await getId(app, ada)
      await schedule(owner)
      const url = getDeletionUrl(app)
      const kept: { body?: string } = {}
      arm(at, async () => Object.assign(kept, await decideDeletion(app.newBrowser(), url, 'cancel')))
      const { status, body } = await decideDeletion(app.newBrowser(), url, 'confirm')
      const before = await finish()
      const isThere = (await inner.getUser?.(id)) !== null
      const isDeleted = status === 200 && !body.includes('Your account is kept')
      t.equal(isThere, !isDeleted, `${at} ${before}: the page says what happened`)
      if (kept.body?.includes('Your account is kept')) t.ok(isThere, `${at} ${before}: what was kept stays`)
      await app.auth.close()
      if (before === null) break
    }
  }
)

type Beside = (app: AccountApplication, id: string) => Promise<unknown>

/** What the application does while the owner cancels a deletion. */
const besides: Readonly<Record<string, Beside>> = {
  suspends: (app, id) => app.auth.users.suspend(id),
  resumes: (app, id) => app.auth.users.resume(id),
  'writes an address': async (app, id) => {
    await app.adapter.updateUser?.({ id, email: grace, emailVerified: new Date(app.clock.now()) })
    await app.auth.users.changed(id)
  }
}

const kindsOfStores = stores.filter(([name]) => name === 'memory' || name === 'SQLite')

for (const [name, skip, openStore] of kindsOfStores)
  for (const [what, act] of Object.entries(besides))
    t.test(`${name}: a deletion that is canceled while the application ${what} is over`, { skip }, async (t) => {
      for (const isCancelStopped of [true, false])
        for (const index of callNumbers()) {
          const { adapter, inner, arm, finish } = createOverlap(await openStore(t), 1_000_000)
          const app = await openAccountApplication(t, 'database', { adapter })
          const owner = await createUser(app)
          const id = await getId(app, ada)
          await schedule(owner)
          const url = getDeletionUrl(app)
          let page = ''
          const cancel = async () => {
            page = (await decideDeletion(app.newBrowser(), url, 'cancel')).body
          }
          const other = () => act(app, id)
          arm(index + 1, isCancelStopped ? other : cancel)
          await (isCancelStopped ? cancel() : other())
          const before = await finish()
          if (before === null) await (isCancelStopped ? other() : cancel())
          const title = `${isCancelStopped ? 'cancel' : what}, ${index + 1} ${before}`
          t.match(page, 'Your account is kept', title)
          t.same(await listDeletions(inner), [], title)
          app.clock.advance(8 * day)
          await app.auth.features.account.deleteDue()
          t.ok(await inner.getUser?.(id), `${title}: the user stays`)
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

for (const [index, [store, skip, openStore]] of storesAt(0, 3).entries())
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
