import t from 'tap'
import {
  ada,
  addPasskey,
  base,
  createUser,
  getAddress,
  openApplication,
  openWithPasskey,
  origin,
  readOptions,
  signInWithPasskey,
  strategies
} from './passkey-application.ts'
import { createAuthenticator, type RequestOptions } from './software-authenticator.ts'

for (const strategy of strategies) {
  t.test(`${strategy}: add a passkey, sign out, sign in with it`, async (t) => {
    const app = await openApplication(t, strategy)
    const browser = await createUser(app)
    const authenticator = createAuthenticator({ origin })
    const added = await addPasskey(browser, authenticator)
    t.equal(added.location, `${origin}${base}/passkeys`)
    const other = app.newBrowser()
    const signedIn = await signInWithPasskey(other, authenticator)
    t.equal(signedIn.location, origin)
    t.equal(await getAddress(other), ada)
  })

  t.test(`${strategy}: sign in on the page of the button`, async (t) => {
    const { newBrowser, authenticator } = await openWithPasskey(t, strategy)
    const browser = newBrowser()
    const page = await browser.fill(await browser.open(`${base}/signin?callbackUrl=/members`), `${base}/signin/passkey`)
    t.equal(page.status, 200)
    const credential = authenticator.get(readOptions<RequestOptions>(page))
    const signedIn = await browser.fill(page, `${base}/callback/passkey`, { credential })
    t.equal(signedIn.location, `${origin}/members`)
    t.equal(await getAddress(browser), ada)
  })
}
