import { isLong, times } from '@postern/testkit/long'
import t from 'tap'
import {
  addPasskey,
  base,
  canSignIn,
  getAddress,
  loadOptions,
  openWithPasskey,
  origin,
  readOptions,
  signInWithPasskey
} from './passkey-application.ts'
import { type CreationOptions, createAuthenticator } from './software-authenticator.ts'
import { storesAt } from './stores.ts'

const requests = isLong ? 50 : 12

const race = async <T>(act: (index: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: requests }, (_, index) => act(index)))

for (const [name, skip, open] of storesAt(0, 4))
  t.test(`${name}: add, sign in, rename, remove, delete the user`, { skip }, async (t) => {
    const app = await openWithPasskey(t, 'database', { adapter: await open(t), authenticator: { isCounting: true } })
    const { browser, authenticator, userId } = app
    const list = () => app.auth.features.passkey.list(userId)
    t.ok(await canSignIn(app.newBrowser(), authenticator))
    const [known] = await list()
    t.match(known, { name: 'Passkey', lastUsedAt: Date, transports: ['internal', 'hybrid'] })
    const [factor] = (await app.adapter.listFactors?.(userId, 'passkey')) ?? []
    t.notMatch(factor?.data, known?.credentialId, 'the data is encrypted')
    await browser.submit(`${base}/passkeys/${known?.id}/rename`, { name: 'Laptop' })
    t.match(await list(), [{ id: known?.id, name: 'Laptop' }])
    await addPasskey(browser, createAuthenticator({ origin }))
    await browser.submit(`${base}/passkeys/${known?.id}/remove`, {})
    t.equal((await list()).length, 1)
    t.notOk(await canSignIn(app.newBrowser(), authenticator))
    await app.auth.deleteUser(userId)
    t.same(await app.adapter.listFactors?.(userId), [])
  })

for (const [name, skip, open] of storesAt(1, 4))
  t.test(`${name}: of ${requests} requests with one challenge, one signs in`, { skip }, async (t) => {
    const { newBrowser, authenticator } = await openWithPasskey(t, 'database', { adapter: await open(t) })
    for (let round = 0; round < times(1, 50); round++) {
      const browser = newBrowser()
      const credential = authenticator.get(await loadOptions(browser))
      const csrf = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
      const responses = await race(() => browser.submit(`${base}/callback/passkey`, { credential, ...csrf }))
      t.equal(responses.filter(({ location }) => location === origin).length, 1, `round ${round}`)
      const codes = responses.map(({ location }) => new URL(location ?? '').searchParams.get('error'))
      t.equal(codes.filter((code) => code === 'PasskeyExpired').length, requests - 1)
    }
  })

for (const [name, skip, open] of storesAt(2, 4))
  t.test(`${name}: of ${requests} registrations with one challenge, one adds a passkey`, { skip }, async (t) => {
    const { auth, browser, userId } = await openWithPasskey(t, 'jwt', { adapter: await open(t) })
    const options = readOptions<CreationOptions>(await browser.open(`${base}/passkeys`))
    const csrf = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
    const credentials = Array.from({ length: requests }, () => createAuthenticator({ origin }).create(options))
    await race((at) => browser.submit(`${base}/passkeys`, { credential: credentials[at] ?? '', ...csrf }))
    t.equal((await auth.features.passkey.list(userId)).length, 2)
  })

for (const [name, skip, open] of storesAt(3, 4))
  t.test(`${name}: one passkey signs in on many devices at once`, { skip }, async (t) => {
    const { newBrowser, authenticator } = await openWithPasskey(t, 'database', { adapter: await open(t) })
    const browsers = Array.from({ length: isLong ? 20 : 6 }, newBrowser)
    await Promise.all(browsers.map((browser) => signInWithPasskey(browser, authenticator)))
    t.same(new Set(await Promise.all(browsers.map(getAddress))).size, 1, 'everyone is signed in')
  })
