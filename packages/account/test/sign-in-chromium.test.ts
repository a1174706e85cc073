/// <reference lib="dom" />
import { gzipSync } from 'node:zlib'
import { accountPages } from '@postern/account/pages'
import discord from '@postern/core/providers/discord'
import facebook from '@postern/core/providers/facebook'
import github from '@postern/core/providers/github'
import gitlab from '@postern/core/providers/gitlab'
import google from '@postern/core/providers/google'
import twitch from '@postern/core/providers/twitch'
import { createRenderer } from '@postern/pages'
import { runAxe } from '@postern/testkit/axe'
import { withoutChromium } from '@postern/testkit/chromium'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { addAuthenticator, look, openPhone, openSite, type Site, type Visitor } from './chromium-site.ts'
import { ada, base, openApplication } from './passkey-application.ts'
import { createUser, first, second } from './password-application.ts'

const client = { clientId: 'client', clientSecret: 'secret' }
const providers = [google, github, gitlab, discord, facebook, twitch].map((provider) => provider(client))

/** Opens the sign-in page. */
async function visit(t: Test): Promise<Site & Visitor> {
  const site = await openSite(t, (options) =>
    openApplication(t, 'database', { ...options, providers: [github(client)] })
  )
  return { ...site, ...(await openPhone(t, site, '/signin')) }
}

const wrongCode = (code: string | null, at: number): string =>
  'BCDFGHJK'.slice(at).padEnd(8, 'B') === code ? 'XXXXXXXX' : 'BCDFGHJK'.slice(at).padEnd(8, 'B')

t.test('signing in on a phone, by what the screens show', { skip: withoutChromium }, async (t) => {
  await t.test('wrong password, and another try', async (t) => {
    const visitor = await visit(t)
    const { page, press, type } = visitor
    await createUser(visitor.app)
    await type('Email address', ada)
    await type('Password', 'not the password at all')
    await press('button', 'Sign in')
    await visitor.says('Wrong email or password.')
    t.match(await page.title(), /^Error: /)
    t.equal(await page.getByLabel('Email address', { exact: true }).inputValue(), ada, 'what was right stays')
    t.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'password')
    t.same((await runAxe(page)).found, [])
    await page.keyboard.type(first)
    await press('button', 'Sign in')
    t.equal(await visitor.isSignedInAs(), ada)
    t.equal(visitor.presses(), 2)
  })

  await t.test('wrong password, which is forgotten, and a new one', async (t) => {
    const visitor = await visit(t)
    const { press, type } = visitor
    await createUser(visitor.app)
    await type('Email address', ada)
    await type('Password', 'not the password at all')
    await press('button', 'Sign in')
    await press('link', 'Forgot password?')
    await type('Email address', ada)
    await press('button', 'Continue')
    await visitor.openMail()
    await type('New password', second)
    await press('button', 'Save password')
    await press('link', 'Sign in')
    await type('Email address', ada)
    await type('Password', second)
    await press('button', 'Sign in')
    t.equal(await visitor.isSignedInAs(), ada)
    t.equal(visitor.presses(), 6)
  })

  await t.test('sign-up', async (t) => {
    const visitor = await visit(t)
    const { press, type } = visitor
    await press('link', 'Create an account')
    await type('Email address', ada)
    await type('Password', first)
    await press('button', 'Continue')
    await visitor.openMail()
    await press('button', 'Confirm and sign in')
    t.equal(await visitor.isSignedInAs(), ada)
    t.equal(visitor.presses(), 3)
  })

  await t.test('a link instead of a password', async (t) => {
    const visitor = await visit(t)
    await visitor.type('Email address', ada)
    await visitor.press('button', 'Email me a sign-in link instead')
    await visitor.openMail()
    t.equal(await visitor.isSignedInAs(), ada)
    t.equal(visitor.presses(), 1)
  })

  await t.test('the fifth wrong code, and another mail', async (t) => {
    const visitor = await visit(t)
    const { app, press, type } = visitor
    await type('Email address', ada)
    await press('button', 'Email me a sign-in link instead')
    const { code } = app.mailbox.last()
    for (const [at, left] of ['', '', '2 tries left.', '1 try left.'].entries()) {
      await type('Code from the email', wrongCode(code, at))
      await press('button', 'Sign in')
      await visitor.says(`That code is not right. ${left}`.trim())
    }
    await type('Code from the email', wrongCode(code, 4))
    await press('button', 'Sign in')
    await visitor.says('Too many wrong codes, so this email no longer works.')
    await press('button', 'Send a new one to a…@example.com')
    await type('Code from the email', app.mailbox.last().code ?? '')
    await press('button', 'Sign in')
    t.equal(await visitor.isSignedInAs(), ada)
    t.equal(visitor.presses(), 8)
  })

  await t.test('continue, and another account', async (t) => {
    const visitor = await visit(t)
    const { page, press, type } = visitor
    const start = page.url()
    await type('Email address', ada)
    await press('button', 'Email me a sign-in link instead')
    await visitor.openMail()
    await page.goto(start)
    await press('link', `Continue as ${ada}`)
    t.equal(await page.title(), 'home')
    await page.goto(start)
    await press('button', 'Use another account')
    t.equal(await visitor.isSignedInAs(), undefined)
    t.match(await page.getByText('Last used').textContent(), 'Last used')
    await type('Email address', 'grace@example.com')
    await press('button', 'Email me a sign-in link instead')
    await visitor.openMail()
    t.equal(await visitor.isSignedInAs(), 'grace@example.com')
    t.equal(visitor.presses(), 4)
  })

  await t.test('a link that has expired', async (t) => {
    const visitor = await visit(t)
    await visitor.type('Email address', ada)
    await visitor.press('button', 'Email me a sign-in link instead')
    visitor.advance(25 * 3600)
    await visitor.openMail()
    t.match(await visitor.page.getByRole('heading').textContent(), 'Unable to sign in')
    await visitor.press('link', 'Sign in')
    await visitor.type('Email address', ada)
    await visitor.press('button', 'Email me a sign-in link instead')
    await visitor.openMail()
    t.equal(await visitor.isSignedInAs(), ada)
    t.equal(visitor.presses(), 3)
  })

  await t.test('a link that was used', async (t) => {
    const visitor = await visit(t)
    await visitor.type('Email address', ada)
    await visitor.press('button', 'Email me a sign-in link instead')
    await visitor.openMail()
    await visitor.openMail()
    t.match(await visitor.page.getByRole('heading').textContent(), 'You are already signed in')
    await visitor.press('link', 'Continue')
    t.equal(await visitor.isSignedInAs(), ada)
    t.equal(visitor.presses(), 2)
  })
})

t.test('with the address first, the second step is the same for every address', async (t) => {
  const app = await openApplication(t, 'database', { identifierFirst: true })
  await createUser(app)
  const visitor = app.newBrowser()
  const enter = async (email: string): Promise<string> => {
    const page = await visitor.open(`${base}/signin`)
    t.equal(page.html().querySelector('[type=password]'), null, 'not in the first step')
    const { status, body } = await visitor.fill(page, `${base}/signin`, { email })
    t.equal(status, 200)
    return body.replaceAll(email, '').replaceAll(/value="[0-9a-f]{64}"/g, '')
  }
  const known = await enter(ada)
  t.match(known.replaceAll(/<\/?span[^>]*>/g, ''), 'Email me a sign-in link instead')
  t.equal(known, await enter('nobody@example.org'))
  t.match(await enter('nobody'), 'Enter a valid email address.')
  const refused = await visitor.submit(`${base}/callback/password`, { email: ada, password: second })
  const again = (await visitor.follow(refused)).html()
  t.equal(again.querySelector('input[name=email]')?.getAttribute('value'), ada, 'the second step again')
  t.not(again.querySelector('input[name=email]')?.getAttribute('readonly'), undefined)
  t.not(again.querySelector('[type=password]'), null)
})

for (const script of [false, true])
  t.test(
    `with six providers, email, password and passkey, the page has at most 12 kB (script: ${script})`,
    async (t) => {
      const app = await openApplication(t, 'database', { providers, renderer: await createRenderer({ script }) })
      const visitor = app.newBrowser()
      const page = await visitor.open(`${base}/signin`)
      const html = page.html()
      const files = html
        .querySelectorAll('link, script[src], img[src], use')
        .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '')
      t.equal(files.length, script ? 4 : 2, 'a style sheet, and the scripts')
      t.equal(html.querySelectorAll('form button svg').length, 7, 'the logos are in the page')
      const bodies = [page.body, ...(await Promise.all(files.map(async (path) => (await visitor.open(path)).body)))]
      const sizes = bodies.map((body) => gzipSync(body).length)
      t.comment(`${sizes.join(' + ')} bytes`)
      t.ok(sizes.reduce((sum, size) => sum + size) <= 12_000, `${sizes.join(' + ')} bytes`)
    }
  )

/** Opens the sign-in page, as a link to the account does, in a browser whose device can create passkeys. */
async function openAgain(t: Test): Promise<Site & Visitor> {
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
    const visitor = await openAgain(t)
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
    const visitor = await openAgain(t)
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
