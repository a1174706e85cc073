import { auditLog } from '@postern/account/audit-log'
import { type Feature, json } from '@postern/core/feature'
import { type Browser, createBrowser, fromFetch } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  accountPath,
  ada,
  addPasskey,
  base,
  comeBack,
  createLimiter,
  createUser,
  findUser,
  getAddress,
  getNotice,
  getRows,
  openAccountApplication,
  origin,
  signIn,
  strategies
} from './account-application.ts'
import { first } from './password-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

const post = (browser: Browser, path: string, fields: Readonly<Record<string, string>> = {}) =>
  browser.submit(accountPath + path, fields)

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: the account page lists the sections of all features with what they are about`, async (t) => {
    const application = await openAccountApplication(t, strategy)
    const browser = await createUser(application)
    const page = await browser.open(accountPath)
    t.same(getRows(page), [
      'Profile',
      'Email address',
      'Sign-in methods',
      'Passkeys',
      'Password',
      'Two-step verification',
      'Devices',
      'Recent activity',
      'Your data',
      'Delete account'
    ])
    t.match(
      page
        .html()
        .querySelectorAll('.row .hint')
        .map(({ text }) => text),
      ['No name', ada, /No account/]
    )
    const rows = page.html().querySelectorAll('.rows')
    t.same(
      rows.map((list) => list.querySelectorAll('.row').length),
      [9, 1],
      'the deletion is apart'
    )
    for (const link of page.html().querySelectorAll('.row-link')) {
      const target = await browser.open(link.getAttribute('href') ?? '')
      t.equal(target.status, 200, link.text)
    }
    const german = await browser.open(accountPath, { headers: { 'accept-language': 'de' } })
    t.match(getRows(german), ['Profil', 'E-Mail-Adresse', 'Anmeldemethoden', 'Passkeys', 'Passwort'])
  })

  test(`${strategy}: the profile`, async (t) => {
    const application = await openAccountApplication(t, strategy)
    const { clock } = application
    const browser = await createUser(application)
    const saved = await browser.fill(await browser.open(`${accountPath}/profile`), `${accountPath}/profile`, {
      name: '  Ada\n Lovelace '
    })
    t.equal(getNotice(await browser.follow(saved)), 'Your profile has been saved.')
    t.equal((await findUser(application, ada))?.name, 'Ada Lovelace')
    const tooLong = await post(browser, '/profile', { name: 'é'.repeat(101) })
    t.equal(tooLong.status, 400)
    t.equal(tooLong.html().querySelector('#name')?.getAttribute('value'), 'é'.repeat(101), 'what was typed stays')
    t.equal(tooLong.html().querySelector('#name')?.getAttribute('aria-invalid'), 'true')
    await post(browser, '/profile', { name: '' })
    t.equal((await findUser(application, ada))?.name, null)
    clock.advance(601)
    const stale = await browser.open(`${accountPath}/profile`)
    t.equal(stale.html().querySelector('form'), null)
    await post(browser, '/profile', { name: 'Mallory' })
    t.equal((await findUser(application, ada))?.name, null, 'a session that is not recent changes nothing')
  })

  test(`${strategy}: accounts are connected, and disconnected unless one is the last way in`, async (t) => {
    const application = await openAccountApplication(t, strategy)
    const { clock, mailbox } = application
    const browser = await createUser(application)
    const path = `${accountPath}/connections`
    const page = await browser.open(path)
    t.same(getRows(page), ['Acme'])
    const connected = await comeBack(application, browser, await browser.fill(page, `${base}/signin/acme`))
    t.equal(connected.location, `${origin}${path}?done=accountConnected`)
    const after = await browser.follow(connected)
    t.equal(getNotice(after), 'The account has been connected.')
    t.match(getRows(after), ['Acme'])
    t.match(after.html().querySelector('.row .hint')?.text, 'ada@example.com')
    await application.auth.close()
    t.match(mailbox.last(), { to: ada, subject: /Acme has been connected to your account/ })
    const other = application.newBrowser()
    await signIn(other, ada, first)
    const copied = createBrowser({
      origin,
      send: fromFetch(application.auth.fetch),
      clock,
      cookies: browser.cookies.clone()
    })
    const removed = await browser.fill(after, `${path}/remove`)
    t.equal(removed.location, `${origin}${path}?done=accountRemoved`)
    const notice = 'The account has been disconnected. All other devices have been signed out.'
    t.equal(getNotice(await browser.follow(removed)), notice)
    t.same(await application.auth.accounts.list((await findUser(application, ada))?.id ?? ''), [])
    t.equal(await getAddress(browser), ada, 'the session continues with a new token')
    for (const ended of [other, copied]) t.equal(await getAddress(ended), null)
    t.equal((await post(browser, '/connections/remove', { provider: 'acme', providerAccountId: 'ada' })).status, 400)
    clock.advance(601)
    t.equal(
      (await post(browser, '/connections/remove', { provider: 'acme', providerAccountId: 'ada' })).location,
      `${origin}${base}/verify?${new URLSearchParams({ callbackUrl: origin + path, max_age: '600' })}`
    )
  })

  test(`${strategy}: the only account stays`, async (t) => {
    const application = await openAccountApplication(t, strategy, { withoutEmail: true })
    const browser = application.newBrowser()
    const grace = { sub: 'grace', name: 'Grace' }
    await comeBack(application, browser, await browser.submit(`${base}/signin/acme`, {}), grace)
    const path = `${accountPath}/connections`
    const refused = await browser.fill(await browser.open(path), `${path}/remove`)
    t.equal(refused.status, 400)
    t.match(getNotice(refused), 'This is the only way in')
    t.match(getRows(await browser.open(path)), ['Acme'])
  })

  test(`${strategy}: devices are listed, and ended one by one or together`, async (t) => {
    const application = await openAccountApplication(t, strategy)
    const browser = await createUser(application)
    const others = [application.newBrowser(), application.newBrowser(), application.newBrowser()]
    for (const other of others) await signIn(other, ada, first)
    const path = `${accountPath}/devices`
    const page = await browser.open(path)
    t.equal(getRows(page).length, 4)
    t.match(getRows(page)[0], 'This device', 'the current device is the first')
    t.equal(page.html().querySelectorAll(`form[action="${path}/end"]`).length, 3, 'it cannot be ended here')
    t.ok(page.html().querySelector('time[datetime][title]'))
    const id = page.html().querySelector('input[name=id]')?.getAttribute('value') ?? ''
    const ended = await post(browser, '/devices/end', { id })
    t.equal(getNotice(await browser.follow(ended)), 'The device has been signed out.')
    const left = await Promise.all(others.map(getAddress))
    t.equal(left.filter((address) => address === ada).length, 2)
    const again = await post(browser, '/devices/end', { id })
    t.equal(again.status, 400)
    t.equal(getNotice(again), 'This was already removed.')
    const all = await browser.fill(await browser.open(path), `${path}/end-others`)
    t.equal(getNotice(await browser.follow(all)), 'All other devices have been signed out.')
    t.same(await Promise.all(others.map(getAddress)), [null, null, null])
    t.equal(await getAddress(browser), ada)
    const alone = (await browser.open(path)).body
    t.match(alone, 'signed in on this device only')
    t.notMatch(alone, 'Sign out the devices', 'there is none to end')
  })

  test(`${strategy}: the data is a file with what every feature stores`, async (t) => {
    const application = await openAccountApplication(t, strategy)
    const browser = await createUser(application)
    await addPasskey(browser, createAuthenticator({ origin }))
    const path = `${accountPath}/data`
    const file = await browser.fill(await browser.open(path), path)
    t.equal(file.status, 200)
    t.match(file.headers, {
      'content-disposition': /^attachment; filename="account-\d{4}-\d\d-\d\d\.json"$/,
      'content-type': /^application\/json/,
      'cache-control': /no-store/
    })
    const data = JSON.parse(file.body)
    t.match(data, { user: { email: ada }, features: { passkey: [{ name: 'Passkey' }] } })
    t.notMatch(file.body, /argon2/, 'no hash of a password')
    application.clock.advance(601)
    t.match((await post(browser, '/data')).location, /\/verify\?/)
  })
}

t.test('recent activity is shown in pages', async (t) => {
  const application = await openAccountApplication(t, 'database')
  const { adapter, clock } = application
  const browser = await createUser(application)
  const userId = (await findUser(application, ada))?.id ?? ''
  const about = {
    userId,
    sessionId: null,
    ip: '192.0.2.7',
    userAgent: null,
    provider: 'acme',
    requestId: null,
    data: null
  }
  const add = (id: string, type: string, seconds: number) =>
    adapter.addEvents?.([{ ...about, id, type, time: new Date(clock.now() + seconds * 1000) }])
  for (let index = 0; index < 30; index++) await add(`event-${index}`, index === 29 ? 'own-type' : 'sign-in', index)
  const page = await browser.open(`${accountPath}/activity`)
  t.equal(getRows(page).length, 25)
  t.match(getRows(page), ['Change: own-type', 'Signed in'])
  t.match(page.html().querySelectorAll('.row .hint')[1]?.text, 'Acme · 192.0.2.7')
  const older = await browser.open(
    page.html().querySelector('.links a')?.getAttribute('href')?.replaceAll('&amp;', '&') ?? ''
  )
  t.ok(getRows(older).length >= 5)
  t.equal((await browser.open(`${accountPath}/activity?before=1e9.x`)).status, 200)
  t.equal((await browser.open(`${accountPath}/activity?before=999999999999999.x`)).status, 200)
})

t.test('sections are hidden, ordered, replaced and added', async (t) => {
  const application = await openAccountApplication(t, 'jwt', {
    accountPages: {
      hidden: ['account/data', 'passkey/passkeys'],
      order: ['password/password', 'billing'],
      sections: [
        { id: 'billing', title: { en: 'Billing', de: 'Rechnungen' }, href: '/billing', text: 'Free plan' },
        { id: 'account/profile', title: 'About me', href: 'https://app.test/me' }
      ]
    }
  })
  const browser = await createUser(application)
  const page = await browser.open(accountPath)
  t.match(getRows(page), ['Password', 'Billing', 'Email address', 'Sign-in methods'])
  t.notMatch(getRows(page), ['Profile'])
  t.ok(getRows(page).includes('About me'))
  t.equal((await browser.open(`${accountPath}/data`)).status, 404, 'the page of a hidden section does not exist')
  t.match(getRows(await browser.open(accountPath, { headers: { 'accept-language': 'de' } })), [
    'Passwort',
    'Rechnungen'
  ])
})

t.test('the activity names the events of other features in the language of the page', async (t) => {
  const texts = { en: { saved: 'Team saved', section: 'Team' }, de: { saved: 'Mannschaft gespeichert' } }
  const team = (title: string): Feature => ({
    id: 'team',
    setup: (context) => ({
      texts,
      eventTypes: { 'team-saved': { actor: 'user', text: 'The user saved the team.', title } },
      routes: [
        {
          method: 'POST',
          path: '/team',
          run: async (request) => {
            const { userId } = await request.requireUser()
            const types = ['team-saved', 'team-unknown']
            await context.events.add(types.map((type) => context.createEvent(type, { userId, request })))
            return json({})
          }
        }
      ]
    })
  })
  const application = await openAccountApplication(t, 'jwt', { features: [team('saved')] })
  const browser = await createUser(application)
  await browser.submit(`${base}/team`, {})
  for (const [language, expected] of [
    ['en', ['Change: team-unknown', 'Team saved']],
    ['de', ['Änderung: team-unknown', 'Mannschaft gespeichert']],
    ['fr', ['team-unknown', 'Team saved']]
  ] as const) {
    const rows = getRows(await browser.open(`${accountPath}/activity`, { headers: { 'accept-language': language } }))
    for (const row of expected)
      t.ok(
        rows.some((text) => text.includes(row)),
        `${language}: ${row} in ${rows}`
      )
  }
  await t.rejects(openAccountApplication(t, 'jwt', { features: [team('missing')] }), /title of the event team-saved/)
})

t.test('the activity names the sign-in methods of features in the language of the page', async (t) => {
  const application = await openAccountApplication(t, 'database', { features: [auditLog()] })
  const signedUp = await createUser(application)
  await signIn(signedUp, ada, first)
  for (const [language, expected] of [
    ['en', ['Password', 'Create an account']],
    ['de', ['Passwort', 'Konto erstellen']],
    ['de-informal', ['Passwort', 'Konto erstellen']],
    ['ar', ['كلمة المرور', 'إنشاء حساب']]
  ] as const) {
    const page = await signedUp.open(`${accountPath}/activity`, { headers: { 'accept-language': language } })
    const places = page.html().querySelectorAll('.row .hint bdi')
    const names = places.map(({ text }) => text)
    for (const name of expected) t.ok(names.includes(name), `${language}: ${name} in ${names}`)
    t.notOk(language !== 'en' && /Sign-up|Password/.test(names.join()), language)
  }
})

t.test('the page of the application replaces the account page', async (t) => {
  const application = await openAccountApplication(t, 'jwt', { pages: { account: '/settings' } })
  const browser = await createUser(application)
  t.equal((await browser.open(accountPath)).location, `${origin}/settings`)
  t.ok((await browser.open(`${accountPath}/devices`)).html().querySelector('a[href="/settings"]'))
})

t.test('a sign-in on a new device is mailed, one on a known device is not', async (t) => {
  const application = await openAccountApplication(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const { mailbox } = application
  const browser = await createUser(application)
  const isNew = () => mailbox.mails.filter(({ subject }) => subject.startsWith('New sign-in')).length
  await signIn(browser, ada, first)
  const other = application.newBrowser()
  await signIn(other, ada, first)
  await application.auth.close()
  t.equal(isNew(), 1)
  t.match(mailbox.last(), { to: ada, text: /\/account\/devices/ })
})
