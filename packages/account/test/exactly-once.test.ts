import { isLong, some, times } from '@postern/testkit/long'
import t from 'tap'
import {
  type AccountApplication,
  ada,
  base,
  canSignIn,
  createUser,
  findUser,
  first,
  forget,
  openAccountApplication,
  origin,
  signInByMail,
  signUp,
  strategies
} from './account-application.ts'
import { addPasskey, loadOptions, readOptions, signInWithPasskey } from './passkey-application.ts'
import { callback as passkeyCallback, signUpWithPasskey } from './passkey-sign-up-application.ts'
import { enroll } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { type CreationOptions, createAuthenticator } from './software-authenticator.ts'
import { stores } from './stores.ts'

type Fields = Readonly<Record<string, string>>
type Browser = ReturnType<AccountApplication['newBrowser']>

/** A request that has what may be used once. */
interface Request {
  readonly browser: Browser
  readonly path: string
  readonly fields: Fields
}

/** Something that is used once. */
interface Use {
  /** Prepares it for the user with an address. @returns The request of each number. */
  readonly prepare: (app: AccountApplication, address: string) => Promise<(index: number) => Request | Promise<Request>>
  /** Where the one request that wins leads to. */
  readonly won: RegExp
  /** Checks what the winner has left. */
  readonly check?: (t: AccountApplication, address: string, winner: number) => Promise<boolean>
}

const getToken = (url: string): string => new URL(url).searchParams.get('token') ?? ''
const isHome = new RegExp(`^${origin}/?$`)
const chosen = (index: number): string => `the sentence of the browser ${index}`

const getUserId = async (app: AccountApplication, address: string): Promise<string> =>
  (await findUser(app, address))?.id ?? ''

const countFactors = async (app: AccountApplication, address: string, type: string): Promise<number> =>
  ((await app.adapter.listFactors?.(await getUserId(app, address), type)) ?? []).length

const reset = (app: AccountApplication) => (index: number) => ({
  ...{ browser: app.newBrowser(), path: `${base}/password/reset` },
  fields: { token: getToken(app.mailbox.last().url), password: chosen(index) }
})

const hasPassword: Use['check'] = async (app, address, winner) => {
  const events = await app.adapter.listEvents?.({
    userId: await getUserId(app, address),
    type: 'password-reset',
    limit: 9
  })
  return events?.length === 1 && (await canSignIn(app.newBrowser(), address, chosen(winner)))
}

/** A user with an app, who waits for the second factor in browsers of their own. */
async function prepareFactor(app: AccountApplication, address: string) {
  const owner = await createUser(app, address)
  const { app: phone, recoveryCodes } = await enroll(app, owner)
  const wait = async (fields: Fields): Promise<Request> => {
    const browser = app.newBrowser()
    await signInByMail(browser, address, app.mailbox)
    return { browser, path: `${base}/verify/factor`, fields }
  }
  return { phone, recoveryCodes, wait }
}

const uses: Readonly<Record<string, Use>> = {
  'the link of a sign-up with a password': {
    won: isHome,
    prepare: async (app, address) => {
      const browser = app.newBrowser()
      await signUp(browser, address, first)
      const fields = { token: getToken(app.mailbox.last().url) }
      return () => ({ browser: copy(app, browser), path: `${base}/callback/password-sign-up`, fields })
    },
    check: async (app, address) =>
      (await countFactors(app, address, 'password')) === 1 && (await canSignIn(app.newBrowser(), address, first))
  },
  'the link and the code of a sign-up with a passkey': {
    won: isHome,
    prepare: async (app, address) => {
      const browser = app.newBrowser()
      await signUpWithPasskey(browser, address)
      const { url, code } = app.mailbox.last()
      // At most five codes are verified.
      const fields = (index: number): Fields => (index < 4 ? { code } : { token: getToken(url) })
      return (index) => ({ browser: copy(app, browser), path: passkeyCallback, fields: fields(index) })
    },
    check: async (app, address) => (await countFactors(app, address, 'passkey')) === 1
  },
  'the link of a reset': {
    won: /changed/,
    prepare: async (app, address) => {
      await createUser(app, address)
      await forget(app.newBrowser(), address)
      return reset(app)
    },
    check: hasPassword
  },
  // The first password of a user has no version that could stop the second writer.
  'the link of a reset without a password': {
    won: /changed/,
    prepare: async (app, address) => {
      await signInByMail(app.newBrowser(), address, app.mailbox)
      await forget(app.newBrowser(), address)
      return reset(app)
    },
    check: hasPassword
  },
  'the challenge of a sign-in with a passkey': {
    won: isHome,
    prepare: async (app, address) => {
      const authenticator = createAuthenticator({ origin })
      await addPasskey(await createUser(app, address), authenticator)
      const browser = app.newBrowser()
      const credential = authenticator.get(await loadOptions(browser))
      return () => ({ browser: copy(app, browser), path: `${base}/callback/passkey`, fields: { credential } })
    }
  },
  'the challenge of a new passkey': {
    won: /\/passkeys$/,
    prepare: async (app, address) => {
      const browser = await createUser(app, address)
      const options = readOptions<CreationOptions>(await browser.open(`${base}/passkeys`))
      return () => ({
        ...{ browser: copy(app, browser), path: `${base}/passkeys` },
        fields: { credential: createAuthenticator({ origin }).create(options) }
      })
    },
    check: async (app, address) => (await countFactors(app, address, 'passkey')) === 1
  },
  'a code of an app': {
    won: isHome,
    prepare: async (app, address) => {
      const { phone, wait } = await prepareFactor(app, address)
      const code = phone.code()
      return () => wait({ code })
    }
  },
  'a recovery code': {
    won: isHome,
    prepare: async (app, address) => {
      const { recoveryCodes, wait } = await prepareFactor(app, address)
      return () => wait({ recoveryCode: recoveryCodes[0] ?? '' })
    },
    check: async (app, address) => {
      const [, codes] = await app.auth.features.factors.list(await getUserId(app, address))
      return Object(codes).left === 9
    }
  }
}

const requests = isLong ? 50 : 8

const cases = some(
  Object.entries(uses).flatMap(([name, use]) =>
    stores.flatMap((store) => strategies.map((strategy) => ({ name, use, store, strategy })))
  ),
  ({ name, store: [store], strategy }) => [name, store, strategy],
  1
)

for (const { name, use, store, strategy } of cases) {
  const [title, skip, open] = store
  t.test(`${title}, ${strategy}: of ${requests} requests with ${name}, one wins`, { skip }, async (t) => {
    const app = await openAccountApplication(t, strategy, { adapter: await open(t), passkey: { signUp: true } })
    for (let round = 0; round < times(1, 20); round++) {
      const address = `round-${round}@example.com`
      const create = await use.prepare(app, address)
      const all: (Request & { readonly csrf: Fields })[] = []
      for (let index = 0; index < requests; index++) {
        const request = await create(index)
        all.push({ ...request, csrf: await request.browser.json<{ readonly csrfToken: string }>(`${base}/csrf`) })
      }
      const responses = await Promise.all(
        all.map(({ browser, path, fields, csrf }) => browser.submit(path, { ...fields, ...csrf }))
      )
      const winners = responses.flatMap(({ location }, index) => (use.won.test(location ?? '') ? [index] : []))
      t.equal(winners.length, 1, `round ${round}`)
      t.ok((await use.check?.(app, address, winners[0] ?? 0)) ?? true, `round ${round}: what it leaves`)
    }
  })
}

for (const [title, , open] of stores.slice(0, 2))
  t.test(`${title}: one passkey signs in on many devices at once`, async (t) => {
    const app = await openAccountApplication(t, 'database', { adapter: await open(t) })
    const authenticator = createAuthenticator({ origin })
    await addPasskey(await createUser(app), authenticator)
    const browsers = Array.from({ length: 6 }, app.newBrowser)
    const responses = await Promise.all(browsers.map((browser) => signInWithPasskey(browser, authenticator)))
    const others = responses.filter(({ location }) => !isHome.test(location ?? ''))
    // Without transactions a challenge is used up, also where another use of the passkey came first.
    const isAsked = (location: string | null): boolean =>
      title !== 'memory' && /error=PasskeyExpired/.test(location ?? '')
    t.ok(others.length < 6, 'one signs in')
    t.same(
      others.map(({ location }) => location).filter((location) => !isAsked(location)),
      []
    )
  })

t.test('data of factors is stored without its secret, and goes with its user', async (t) => {
  for (const [, skip, open] of stores.slice(1, 3)) {
    if (skip) continue
    const app = await openAccountApplication(t, 'jwt', { adapter: await open(t) })
    const browser = await createUser(app)
    await addPasskey(browser, createAuthenticator({ origin }))
    const { recoveryCodes } = await enroll(app, browser)
    const id = await getUserId(app, ada)
    const data = new Map(((await app.adapter.listFactors?.(id)) ?? []).map((factor) => [factor.type, factor.data]))
    t.match(data.get('password'), /^\.[\w-]+\.\$argon2id\$/, 'the hash needs no secret: docs/operations.md, "Secrets"')
    t.notMatch(data.get('passkey'), /publicKey|credentialId/, 'encrypted')
    t.notMatch(data.get('factors-totp'), /secret/, 'encrypted')
    t.match(data.get('factors-recovery-codes'), '$argon2id$', 'a hash')
    for (const code of recoveryCodes) t.notMatch(data.get('factors-recovery-codes'), code.slice(6))
    await app.auth.deleteUser(id)
    t.same(await app.adapter.listFactors?.(id), [])
  }
})
