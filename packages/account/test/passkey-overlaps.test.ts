import type { Browser, BrowserResponse } from '@postern/testkit'
import { callNumbers, turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { createOverlap } from './interrupted-store.ts'
import { readOptions, strategies } from './passkey-application.ts'
import { base, canSignIn, createUser, findUser, first, forget, getAddress, second } from './password-application.ts'
import { type Application, openApplication, openWithMailedCode } from './second-factor-application.ts'
import { type CreationOptions, createAuthenticator } from './software-authenticator.ts'
import { stores } from './stores.ts'

const path = `${base}/passkeys`

type Post = () => Promise<BrowserResponse>

/** Does everything but the request that adds a passkey, which counts as two factors. @returns That request. */
async function preparePasskey(app: Application, browser: Browser): Promise<Post> {
  const page = await openWithMailedCode(app, browser)
  const credential = createAuthenticator({ origin: 'https://app.test' }).create(readOptions<CreationOptions>(page))
  return () => browser.fill(page, path, { credential })
}

/** Does everything but the request that sets another password by a mailed link. @returns That request. */
async function prepareReset({ mailbox, newBrowser }: Application, address: string): Promise<Post> {
  const browser = newBrowser()
  await forget(browser, address)
  const page = await browser.open(mailbox.last().url)
  return () => browser.fill(page, 'form', { password: second })
}

const turns = turnsOf(strategies, t)

// Each of them ends the session, or the link, that the other one needs.
for (const [name, skip, open] of stores.filter(([name]) => name === 'memory' || name === 'SQLite'))
  for (const { value: strategy, test } of turns())
    for (const stopped of ['passkey', 'reset'] as const)
      test(`${name}, ${strategy}: of the first passkey and a reset, one is done: ${stopped}`, { skip }, async (t) => {
        const { adapter, arm, finish } = createOverlap(await open(t), 1_000_000)
        const app = await openApplication(t, strategy, { adapter })
        const winners = new Set<string>()
        for (const index of callNumbers()) {
          const address = `user${index}@example.com`
          const browser = await createUser(app, address)
          const { id = '' } = (await findUser(app, address)) ?? {}
          const reset = await prepareReset(app, address)
          const add = await preparePasskey(app, browser)
          const token = browser.cookies.get('__Secure-next-auth.session-token')
          app.clock.advance(1)
          arm(index + 1, stopped === 'passkey' ? reset : add)
          const response = await (stopped === 'passkey' ? add() : reset())
          const before = await finish()
          const hasPasskey = (await app.auth.features.passkey.list(id)).length > 0
          const hasFirst = await canSignIn(app.newBrowser(), address, first)
          const title = `${index + 1} ${before}`
          t.ok(response.status < 500, title)
          t.not(hasPasskey, !hasFirst, title)
          t.equal(await getAddress(browser), hasPasskey ? address : null, `${title}: the session`)
          t.equal(browser.cookies.get('__Secure-next-auth.session-token') !== token, hasPasskey, `${title}: the token`)
          winners.add(hasPasskey ? 'passkey' : 'reset')
          if (before === null) break
        }
        t.same([...winners].toSorted(), ['passkey', 'reset'])
      })
