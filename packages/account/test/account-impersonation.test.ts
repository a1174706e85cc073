import type { AuthRequest } from '@postern/core'
import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { accountPath, getRows, openAccountApplication } from './account-application.ts'
import {
  ada,
  base,
  createUser,
  findUser,
  getAddress,
  getCookies,
  origin,
  second,
  strategies
} from './password-application.ts'
import { enroll } from './second-factor-application.ts'

const json = { accept: 'application/json' }

/** A request of the application, with the cookies of a browser. */
const createRequest = (browser: Browser): AuthRequest => ({
  ...{ method: 'POST', path: '/callback/application', query: {}, body: {}, headers: {} },
  ...{ origin, cookies: getCookies(browser), client: '192.0.2.1', clientsBehindIp: 1, id: 'request' }
})

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`an administrator who acts as a user reaches no page of the account: ${strategy}`, async (t) => {
    const application = await openAccountApplication(t, strategy)
    const { auth, adapter, newBrowser } = application
    const user = await createUser(application)
    await enroll(application, user)
    const userId = (await findUser(application, ada))?.id ?? ''
    const admin = await createUser(application, 'admin@example.com', second)
    const { cookies } = await auth.users.impersonate(createRequest(admin), userId, { reason: 'a test' })
    for (const [name, { value }] of cookies) {
      if (value === '') admin.cookies.delete(name)
      else admin.cookies.set(name, value, { secure: true })
    }
    t.equal(await getAddress(admin), ada)
    const readState = async () => ({
      user: await adapter.getUser?.(userId),
      factors: await adapter.listFactors?.(userId),
      accounts: await adapter.getAccounts?.(userId),
      sessions: (await auth.sessions.list(userId)).length
    })
    const before = await readState()
    const stranger = newBrowser()
    let count = 0
    for (const { method, path } of auth.routes) {
      const url = base + path.replace(/:\w+/, 'id')
      const call = (browser: Browser, headers: Readonly<Record<string, string>>) =>
        method === 'GET' ? browser.open(url, { headers }) : browser.submit(url, {}, { headers })
      const signedOut = await call(stranger, json)
      if (signedOut.status !== 401 || !signedOut.body.includes('SessionRequired')) continue
      count++
      for (const accept of ['application/json', 'text/html']) {
        const { status, body } = await call(admin, { accept })
        t.equal(status, 403, `${method} ${path} as ${accept}: ${body.slice(0, 80)}`)
        if (accept === 'application/json') t.match(body, 'ImpersonationForbidden')
        else t.match(body, 'Only that user can do this')
      }
    }
    t.ok(count >= 20, `${count} routes for the user`)
    // Routes for everyone act on a mailed link or a form, and never on the session.
    t.same(await readState(), before, 'nothing of the user has changed')
    t.equal(await getAddress(user), ada, 'the user is still signed in')
  })

const label = 'Opened by an administrator'

for (const { value: strategy, test } of turns())
  test(`the devices of the user name a session of an administrator as such: ${strategy}`, async (t) => {
    const application = await openAccountApplication(t, strategy)
    const { auth } = application
    const user = await createUser(application)
    const admin = await createUser(application, 'admin@example.com', second)
    const [userId, adminId] = [
      (await findUser(application, ada))?.id ?? '',
      (await findUser(application, 'admin@example.com'))?.id ?? ''
    ]
    const path = `${accountPath}/devices`
    const before = await user.open(path)
    t.notMatch(before.body, label)
    const [adminSession] = await auth.sessions.list(adminId)
    await auth.users.impersonate(createRequest(admin), userId, { reason: 'a test' })
    const page = await user.open(path)
    t.same(getRows(page).toSorted(), [...getRows(before), label].toSorted())
    t.match((await user.open(path, { headers: { 'accept-language': 'de' } })).body, 'Von der Administration geöffnet')
    const { body } = await user.open(path, { headers: json })
    const { devices } = JSON.parse(body).props
    t.match(devices, [
      { isCurrent: true, isImpersonation: false },
      { isCurrent: false, isImpersonation: true, name: null, address: null, provider: null }
    ])
    for (const secret of [adminId, adminSession?.id ?? '', 'admin@example.com', 'a test'])
      for (const text of [page.body, body]) t.notOk(text.includes(secret), `without ${secret}`)
    const ended = await user.submit(`${path}/end`, { id: devices[1].id })
    t.same(getRows(await user.follow(ended)), getRows(before), 'the user ends it')
  })
