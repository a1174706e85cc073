import { join } from 'node:path'
import { type Browser, createBrowser } from '@postern/testkit'
import { isLong, times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { withMysql, withoutServer, withPostgres } from './databases.ts'
import { addPasskey, loadOptions } from './passkey-application.ts'
import { ada, base, first, getAddress, origin, signUp } from './password-application.ts'
import { startProcess } from './password-processes.ts'
import { createAuthenticator } from './software-authenticator.ts'

const requests = isLong ? 50 : 12

const stores: readonly { name: string; skip: string | false; getStore: (t: Test) => Promise<string> }[] = [
  { name: 'SQLite', skip: false, getStore: async (t) => join(t.testdir(), 'store.sqlite') },
  { name: 'PostgreSQL', skip: await withoutServer('PostgreSQL', 5432), getStore: withPostgres },
  { name: 'MariaDB', skip: await withoutServer('MariaDB', 3306), getStore: withMysql }
]

for (const { name, skip, getStore } of isLong ? stores : stores.slice(0, 1))
  t.test(`${name}: two processes use each challenge exactly once`, { skip }, async (t) => {
    const address = await getStore(t)
    const [one, two] = [
      await startProcess(t, { address, strategy: 'database', module: 'account-process.js' }),
      await startProcess(t, { address, strategy: 'database', module: 'account-process.js' })
    ]
    const newBrowser = (): Browser => createBrowser({ origin, send: one.send })
    const owner = newBrowser()
    const sent = one.nextToken()
    await signUp(owner, ada, first)
    await owner.submit(`${base}/callback/password-sign-up`, { token: await sent })
    t.equal(await getAddress(owner), ada)
    const authenticator = createAuthenticator({ origin })
    t.equal((await addPasskey(owner, authenticator)).status, 302)
    for (let round = 0; round < times(1, 1000); round++) {
      const browser = newBrowser()
      const credential = authenticator.get(await loadOptions(browser))
      const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
      const responses = await Promise.all(
        Array.from({ length: requests }, (_, index) => {
          const send = index % 2 === 0 ? one.send : two.send
          const copy = createBrowser({ origin, send, cookies: browser.cookies.clone() })
          return copy.submit(`${base}/callback/passkey`, { credential, csrfToken })
        })
      )
      t.equal(
        responses.filter(({ location }) => location === origin).length,
        1,
        `${round}: one of ${requests} is signed in`
      )
    }
  })
