/// <reference lib="dom" />
import { withoutChromium } from '@postern/testkit/chromium'
import t, { type Test } from 'tap'
import { addAuthenticator, look, openPhone, openSite, type Site, type Visitor } from './chromium-site.ts'
import { ada, base, findUser, openApplication } from './passkey-application.ts'
import { createUser } from './password-application.ts'

interface Visit extends Visitor, Pick<Site, 'app'> {
  /** Opens the sign-in page again, without the session. */
  readonly startAgain: () => Promise<void>
  readonly countPasskeys: () => Promise<number>
  readonly setVerified: (isUserVerified: boolean) => Promise<unknown>
  /** Takes the simulated authenticator away: Chromium asks its own ones. */
  readonly removeAuthenticator: () => Promise<unknown>
}

/** Opens the sign-in page, in a browser whose device can create passkeys. */
async function visit(t: Test): Promise<Visit> {
  const site = await openSite(t, (options) => openApplication(t, 'database', options))
  const { app } = site
  await createUser(app)
  const path = '/signin?callbackUrl=/members'
  const visitor = await openPhone(t, site, path)
  const { page } = visitor
  const { setVerified, removeAuthenticator } = await addAuthenticator(page)
  const startAgain = async (): Promise<void> => {
    await page.context().clearCookies({ name: /session-token/ })
    await page.goto(`${site.url}${base}${path}`)
    // Only a device that can create passkeys sets it.
    await page.waitForFunction(() => document.cookie.includes('postern.passkeys=1'))
  }
  await startAgain()
  const countPasskeys = async () => (await app.auth.features.passkey.list((await findUser(app, ada))?.id ?? '')).length
  return { ...visitor, app, startAgain, countPasskeys, setVerified, removeAuthenticator }
}

t.test('passkeys on a phone, by what the screens show', { skip: withoutChromium }, async (t) => {
  await t.test('a passkey after the password, and the next sign-in with it', async (t) => {
    const { page, press, signIn, startAgain, isSignedInAs, countPasskeys, presses, setVerified } = await visit(t)
    await signIn()
    t.equal(await page.getByRole('heading').textContent(), 'Sign in faster next time')
    await look(t, page, 'offer')
    await press('button', 'Create a passkey')
    t.equal(new URL(page.url()).pathname, '/members')
    t.equal(await countPasskeys(), 1)
    await setVerified(false)
    await startAgain()
    await setVerified(true)
    await press('button', 'Sign in with a passkey')
    t.equal(await isSignedInAs(), ada)
    t.equal(presses(), 3)
  })

  await t.test('a passkey canceled when it is offered, and not now', async (t) => {
    const { page, press, touch, says, signIn, setVerified, isSignedInAs, presses } = await visit(t)
    await signIn()
    await setVerified(false)
    await touch('button', 'Create a passkey')
    await says('No passkey was created: you canceled, or it took too long. Try again.')
    const create = page.getByRole('button', { name: 'Create a passkey' })
    const [spinner, isFocused] = await create.evaluate((button) => [
      getComputedStyle(button, '::after').visibility,
      button === document.activeElement
    ])
    t.equal(spinner, 'hidden', 'nothing is waited for any more')
    t.ok(isFocused)
    await look(t, page, 'offer-canceled')
    await press('link', 'Not now')
    t.equal(new URL(page.url()).pathname, '/members')
    t.equal(await isSignedInAs(), ada)
    t.equal(presses(), 3)
  })

  await t.test('a passkey canceled on the sign-in page, and the password instead', async (t) => {
    const { page, press, says, signIn, isSignedInAs, presses } = await visit(t)
    await press('button', 'Sign in with a passkey')
    await says('No passkey was used: you canceled, or it took too long.')
    t.match(await page.title(), /^Error: /)
    await look(t, page, 'sign-in-canceled')
    await signIn()
    await press('link', 'Not now')
    t.equal(await isSignedInAs(), ada)
    t.equal(presses(), 3)
  })

  await t.test('do not ask again', async (t) => {
    const { page, press, signIn, startAgain, isSignedInAs, presses } = await visit(t)
    await signIn()
    await press('button', 'Do not ask again')
    t.equal(new URL(page.url()).pathname, '/members')
    await startAgain()
    await signIn()
    t.equal(new URL(page.url()).pathname, '/members')
    t.equal(await isSignedInAs(), ada)
    t.equal(presses(), 3)
  })

  await t.test('without a question, if the browser creates one for the password', async (t) => {
    const { page, signIn, countPasskeys, presses, app } = await visit(t)
    // The virtual authenticator is no password manager: what it is asked without a question it is asked with one.
    await page.addInitScript(() => {
      Object.assign(PublicKeyCredential, { getClientCapabilities: async () => ({ conditionalCreate: true }) })
      const { credentials } = navigator
      const create = credentials.create.bind(credentials)
      credentials.create = ({ publicKey, ...others } = {}) => {
        const { mediation }: { readonly mediation?: unknown } = Object(others)
        if (mediation !== 'conditional' || !publicKey) throw new Error('expected no question')
        return create({ publicKey })
      }
    })
    await signIn()
    await page.waitForURL(({ pathname }) => pathname === '/members')
    t.equal(await countPasskeys(), 1)
    t.match(app.mailbox.last().subject, 'A passkey was added to your account')
    t.equal(presses(), 1)
  })

  // Chromium has the capability without Google Password Manager too, and refuses then, because nothing could keep a passkey.
  await t.test('a browser that refuses to create one without a question leaves no trace', async (t) => {
    const { page, app, press, signIn, isSignedInAs, countPasskeys, removeAuthenticator } = await visit(t)
    await page.addInitScript(() => {
      const { credentials } = navigator
      const create = credentials.create.bind(credentials)
      credentials.create = (options) => {
        const { mediation }: { readonly mediation?: unknown } = Object(options)
        const note = (outcome: string): void => sessionStorage.setItem(String(mediation), outcome)
        const created = create(options)
        created.then(
          () => note('created'),
          ({ name }: Error) => note(name)
        )
        return created
      }
    })
    await removeAuthenticator()
    const mails = app.mailbox.mails.length
    await signIn()
    await page.waitForFunction(() => sessionStorage.getItem('conditional') !== null)
    t.equal(await page.evaluate(() => sessionStorage.getItem('conditional')), 'NotSupportedError')
    t.equal(await page.getByRole('alert').count(), 0, 'nobody was asked, so nothing is shown')
    t.equal(await page.title(), await page.getByRole('heading').textContent())
    await press('link', 'Not now')
    t.equal(new URL(page.url()).pathname, '/members')
    t.equal(await isSignedInAs(), ada)
    t.same([await countPasskeys(), app.mailbox.mails.length], [0, mails])
  })

  await t.test('a browser without the capability is asked nothing', async (t) => {
    const { page, press, signIn } = await visit(t)
    await page.addInitScript(() => {
      const { credentials } = navigator
      credentials.create = () => {
        sessionStorage.setItem('create', 'asked')
        return Promise.resolve(null)
      }
      const getClientCapabilities = async () => {
        sessionStorage.setItem('capabilities', 'read')
        return { conditionalCreate: false }
      }
      Object.assign(PublicKeyCredential, { getClientCapabilities })
    })
    await signIn()
    await page.waitForFunction(() => sessionStorage.getItem('capabilities') === 'read')
    t.equal(await page.evaluate(() => sessionStorage.getItem('create')), null)
    await press('link', 'Not now')
    t.equal(new URL(page.url()).pathname, '/members')
  })

  // Chromium creates one only for a password that Google Password Manager stored and used in the last five minutes
  // (passkey_upgrade_request_controller.cc). For a virtual authenticator it asks nobody, and the request stays open.
  await t.test('a request without a question ends with the page, and blocks no other', async (t) => {
    const { page, press, signIn, startAgain, countPasskeys } = await visit(t)
    await page.addInitScript(() => {
      const { credentials } = navigator
      const create = credentials.create.bind(credentials)
      credentials.create = async (options) => {
        const { mediation = 'asked' }: { readonly mediation?: string } = Object(options)
        sessionStorage.setItem(mediation, 'open')
        options?.signal?.addEventListener('abort', () => sessionStorage.setItem(mediation, 'ended'))
        const credential = await create(options)
        sessionStorage.setItem(mediation, 'created')
        return credential
      }
    })
    const read = (mediation: string) => page.evaluate((name) => sessionStorage.getItem(name), mediation)
    const openOffer = async (): Promise<void> => {
      await startAgain()
      await signIn()
      t.equal(await page.getByRole('heading').textContent(), 'Sign in faster next time')
      await page.waitForFunction(() => sessionStorage.getItem('conditional') === 'open')
    }
    const { origin } = new URL(page.url())
    await openOffer()
    await press('link', 'Not now')
    t.equal(await read('conditional'), 'ended', 'who continues wants no passkey')
    await page.goto(`${origin}${base}/passkeys`)
    await openOffer()
    await page.goto(`${origin}${base}/passkeys`)
    t.equal(await read('conditional'), 'ended', 'a page that is left asks for nothing')
    await page.goBack()
    await page.goForward()
    await openOffer()
    await press('button', 'Do not ask again')
    t.equal(await read('conditional'), 'ended')
    t.equal(await countPasskeys(), 0)
    await page.goto(`${origin}${base}/passkey/offer?callbackUrl=/members`)
    await page.waitForFunction(() => sessionStorage.getItem('conditional') === 'open')
    await press('button', 'Create a passkey')
    t.match([await read('conditional'), await read('asked')], ['ended', 'created'])
    t.equal(await countPasskeys(), 1)
  })
})
