import { accountPages } from '@postern/account/pages'
import { password } from '@postern/account/password'
import { memoryAdapter } from '@postern/adapters/memory'
import { ConfigError, createPostern } from '@postern/core'
import email from '@postern/core/providers/email'
import t from 'tap'
import { openAccountApplication } from './account-application.ts'
import { base, createUser, origin } from './password-application.ts'

t.test('the account page and all its sections are at a path of the application, and work there', async (t) => {
  const application = await openAccountApplication(t, 'database', { accountPages: { path: '/settings' } })
  const browser = await createUser(application)
  const page = await browser.open('/settings')
  t.equal(page.html().querySelector('h1')?.text, 'Your account')
  const links = page.html().querySelectorAll('.rows a')
  const paths = links.map((link) => link.getAttribute('href') ?? '')
  t.ok(paths.length >= 9)
  for (const path of paths) {
    t.match(path, /^\/settings\/[\w-]+$/)
    const section = await browser.open(path)
    t.equal(section.status, 200, path)
    const back = section
      .html()
      .querySelectorAll('a')
      .map((link) => link.getAttribute('href'))
    t.ok(back.includes('/settings') || path === '/settings/activity', `${path} leads back`)
  }
  t.ok(
    paths.includes('/settings/passkeys') && paths.includes('/settings/password') && paths.includes('/settings/factors')
  )
  t.equal(
    (await browser.open(`${base}/account/profile?done=profileSaved`)).location,
    `${origin}/settings/profile?done=profileSaved`
  )
  const profile = await browser.open('/settings/profile')
  const saved = await browser.followAll(await browser.fill(profile, `${base}/account/profile`, { name: 'Grace' }))
  t.equal(new URL(saved.url).pathname, '/settings/profile')
  t.match(saved.body, 'Grace')
  const factors = await browser.open('/settings/factors')
  const begun = await browser.followAll(await browser.fill(factors, `${base}/factors/totp/start`))
  t.equal(new URL(begun.url).pathname, '/settings/factors/totp')
  t.notOk(
    begun.html().querySelector('form[action$="/totp/start"]'),
    'the cookie of an enrollment is sent to both paths'
  )
  t.equal((await browser.json<{ props: { name: string } }>(`${base}/account`)).props.name, 'Grace', 'clients get JSON')
  const stranger = application.newBrowser()
  const refused = await stranger.open('/settings/email')
  t.match(refused.location, `${origin}${base}/signin?error=SessionRequired`)
  t.equal((await stranger.open('/password/sign-up')).status, 404, 'only the pages of the account are moved')
})

t.test('a path that is none is reported', async (t) => {
  for (const path of ['settings', '/', '/settings/', '/a b', '/:id', 'https://app.test/settings'])
    t.throws(
      () =>
        createPostern({
          ...{ url: origin, secret: 'a secret of the tests, 32 characters or more', adapter: memoryAdapter() },
          ...{ providers: [password()], mailer: email({ server: 'smtp://mail.test', from: 'a@app.test' }) },
          features: [accountPages({ path })]
        }),
      ConfigError,
      path
    )
})
