/// <reference lib="dom" />
import { accountPages } from '@postern/account/pages'
import github from '@postern/core/providers/github'
import { withoutChromium } from '@postern/testkit/chromium'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { addAuthenticator, look, openPhone, openSite, type Site, type Visitor } from './chromium-site.ts'
import { ada, base, createUser, openApplication } from './passkey-application.ts'
import { first } from './password-application.ts'

/** Opens the sign-in page, as a link to the account does, in a browser whose device can create passkeys. */
async function visit(t: Test): Promise<Site & Visitor> {
  const site = await openSite(t, (options) =>
    openApplication(t, 'database', {
      ...{ ...options, features: [accountPages()], providers: [github({ clientId: 'client', clientSecret: 'secret' })] }
    })
  )
  await createUser(site.app)
  return {
    ...site,
    ...(await openPhone(t, site, `/signin?callbackUrl=${base}/account`, { prepare: addAuthenticator }))
  }
}

const getButtons = (page: Page): Promise<readonly string[]> => page.getByRole('button').allTextContents()

t.test('authenticating again on a phone, by what the screens show', { skip: withoutChromium }, async (t) => {
  await t.test('with a passkey, or not now', async (t) => {
    const visitor = await visit(t)
    const { page, press, type, getHeading } = visitor
    await type('Email address', ada)
    await press('button', 'Email me a sign-in link instead')
    await visitor.openMail()
    await press('link', 'Passkeys')
    await press('button', 'Add a passkey')
    await press('link', 'Back to your account')
    visitor.advance(660)
    await press('link', 'Passkeys')
    await press('link', 'Confirm that it is you to make changes')
    t.equal(await page.title(), 'Confirm that it is you')
    await look(t, page, 'step-up-passkey')
    t.same(await getButtons(page), ['Sign in with a passkey'], 'the strongest way of the user, and no provider')
    t.equal(await page.getByRole('textbox').count(), 0, 'the user is known')
    t.ok(await page.getByText(ada, { exact: true }).isVisible())
    await press('link', 'Not now')
    t.equal(await getHeading(), 'Your account')
    await press('link', 'Passkeys')
    await press('link', 'Confirm that it is you to make changes')
    await press('button', 'Sign in with a passkey')
    t.equal(await getHeading(), 'Passkeys')
    t.ok(await page.getByRole('button', { name: 'Add a passkey' }).isVisible(), 'changes are possible')
    t.equal(visitor.presses(), 10)
  })

  await t.test('with a password after a mistake, and with a code', async (t) => {
    const visitor = await visit(t)
    const { app, page, press, type, getHeading } = visitor
    await visitor.signIn()
    // After a sign-in with a password, a passkey is offered.
    await press('link', 'Not now')
    visitor.advance(660)
    await press('link', 'Passkeys')
    await press('link', 'Confirm that it is you to make changes')
    await type('Password', 'not the password at all')
    await press('button', 'Sign in')
    t.equal(await page.title(), 'Error: Confirm that it is you')
    await visitor.says('password')
    t.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'password')
    await look(t, page, 'step-up-wrong-password')
    await page.keyboard.type(first)
    await press('button', 'Sign in')
    t.equal(await getHeading(), 'Passkeys')
    t.equal(visitor.presses(), 6)
    await press('link', 'Back to your account')
    visitor.advance(660)
    await press('link', 'Passkeys')
    await press('link', 'Confirm that it is you to make changes')
    await visitor.touch('text', 'Another way')
    await press('button', `Send a code to ${ada}`)
    await type('Code from the email', app.mailbox.last().code ?? '')
    await press('button', 'Sign in')
    t.equal(await getHeading(), 'Passkeys')
    t.equal(visitor.presses(), 12)
  })
})
