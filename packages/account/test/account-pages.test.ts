import { type AccountPagesOptions, accountPages } from '@postern/account/pages'
import { passkey } from '@postern/account/passkey'
import { password } from '@postern/account/password'
import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern, type PosternOptions } from '@postern/core'
import { type Feature, text } from '@postern/core/feature'
import credentials from '@postern/core/providers/credentials'
import email from '@postern/core/providers/email'
import { createRenderer, type RendererOptions } from '@postern/pages'
import { type Browser, type BrowserResponse, createBrowser, fromFetch } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'

const origin = 'https://app.test'
/** The page without the built-in sections. */
const hidden = ['profile', 'email', 'connections', 'devices', 'activity', 'data', 'delete'].map((id) => `account/${id}`)
const path = '/api/auth/account'

/** A feature with sections. */
function withSections(id: string, sections: readonly (readonly [order: number, id: string])[]): Feature {
  const en = Object.fromEntries(sections.map(([, name]) => [name, `English ${id} ${name}`]))
  return {
    id,
    setup: () => ({
      texts: { en, de: { devices: 'Geräte' } },
      routes: sections.map(([, name]) => ({ method: 'GET', path: `/${id}/${name}`, run: () => text(name, 200) })),
      accountSections: sections.map(([order, name]) => ({ id: name, order, title: name, path: `/${id}/${name}` }))
    })
  }
}

async function open(t: Test, options: Partial<PosternOptions> & { screens?: RendererOptions['screens'] } = {}) {
  const { screens, ...others } = options
  const auth = createPostern({
    url: origin,
    secret: 'a secret of the tests, 32 characters or more',
    adapter: memoryAdapter(),
    renderer: await createRenderer({ lazy: true, screens }),
    providers: [
      credentials({
        credentials: { name: {}, email: {} },
        authorize: ({ name, email }) => ({ id: '1', name: name || null, email: email || null })
      })
    ],
    features: [accountPages({ hidden })],
    ...others
  })
  t.teardown(auth.close)
  return createBrowser({ origin, send: fromFetch(auth.fetch) })
}

const signIn = (browser: Browser, fields: Record<string, string> = {}): Promise<BrowserResponse> =>
  browser.submit('/api/auth/callback/credentials', { name: 'Ada', email: 'ada@example.com', ...fields })

const getLinks = (page: BrowserResponse): readonly (readonly [string, string | undefined])[] =>
  page
    .html()
    .querySelectorAll('a')
    .map((link) => [link.text, link.getAttribute('href')])

const german = { 'accept-language': 'de' }

const turns = turnsOf(['jwt', 'database'] as const, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: the page shows the user and the link to sign out`, async (t) => {
    const browser = await open(t, { session: { strategy } })
    t.equal(
      (await browser.open(path)).location,
      `${origin}/api/auth/signin?${new URLSearchParams({ error: 'SessionRequired', callbackUrl: origin + path })}`
    )
    const signInPage = await browser.followAll(await browser.open(path))
    const signedIn = await browser.fill(signInPage, '/api/auth/callback/credentials', {
      name: 'Ada',
      email: 'ada@example.com'
    })
    t.equal(signedIn.location, origin + path, 'the sign-in returns to the page')
    const page = await browser.follow(signedIn)
    t.equal(page.status, 200)
    t.match(page.headers, { 'cache-control': /no-store/, 'content-security-policy': /default-src 'none'/ })
    t.equal(page.html().querySelector('title')?.text, 'Your account')
    t.equal(page.html().querySelector('h1')?.text, 'Your account')
    t.same(
      page
        .html()
        .querySelectorAll('.identity bdi')
        .map(({ text }) => text),
      ['Ada', 'ada@example.com']
    )
    t.same(getLinks(page), [
      ['Back to app.test', origin],
      ['Sign out', '/api/auth/signout']
    ])
    t.equal(page.html().querySelector('.rows'), null)
    const signOut = await browser.open('/api/auth/signout')
    await browser.fill(signOut, '/api/auth/signout')
    t.match((await browser.open(path)).location, /SessionRequired/)
  })
}

t.test('every section is a link, in order, with its title in the language of the page', async (t) => {
  const features = [
    withSections('one', [
      [300, 'devices'],
      [100, 'profile']
    ]),
    accountPages({ hidden }),
    withSections('two', [[200, 'profile']])
  ]
  const browser = await open(t, { features })
  await signIn(browser)
  const links = (devices: string): readonly (readonly string[])[] => [
    ['English one profile', '/api/auth/one/profile'],
    ['English two profile', '/api/auth/two/profile'],
    [devices, '/api/auth/one/devices']
  ]
  t.same(getLinks(await browser.open(path)), [
    ...links('English one devices'),
    ['Back to app.test', origin],
    ['Sign out', '/api/auth/signout']
  ])
  const page = await browser.open(path, { headers: german })
  t.equal(page.html().querySelector('h1')?.text, 'Ihr Konto')
  t.equal(page.html().querySelector('html')?.getAttribute('lang'), 'de')
  t.same(getLinks(page), [...links('Geräte'), ['Zurück zu app.test', origin], ['Abmelden', '/api/auth/signout']])
})

t.test('the logo and a link lead to the application, also below a prefix', async (t) => {
  const browser = await open(t, { theme: { logo: '/logo.svg', name: 'Bookshop' }, pathPrefix: '/shop' })
  await browser.submit('/api/auth/callback/credentials', { name: 'Ada', email: 'ada@example.com' })
  const page = (await browser.open(path)).html()
  t.equal(page.querySelector('a:has(.logo)')?.getAttribute('href'), `${origin}/shop/`)
  const link = page.querySelectorAll('a').find(({ text }) => text === 'Back to Bookshop')
  t.equal(link?.getAttribute('href'), `${origin}/shop/`)
})

t.test('a user without a name or without an address', async (t) => {
  const browser = await open(t, { session: { strategy: 'jwt' } })
  const shown = async (fields: Record<string, string>): Promise<readonly string[]> => {
    await signIn(browser, fields)
    const page = await browser.open(path)
    return page
      .html()
      .querySelectorAll('.identity bdi')
      .map(({ text }) => text)
  }
  t.same(await shown({ name: '' }), ['ada@example.com'])
  t.same(await shown({ email: '' }), ['Ada'])
  t.same(await shown({ name: '', email: '' }), [])
  t.same(await shown({ name: '<b>Ada</b>' }), ['<b>Ada</b>', 'ada@example.com'])
})

t.test('scripts get JSON', async (t) => {
  const browser = await open(t, { features: [accountPages({ hidden }), withSections('one', [[1, 'devices']])] })
  const headers = { accept: 'application/json' }
  t.same((await browser.request('GET', path, { headers })).status, 401)
  await signIn(browser)
  t.match(await browser.json(path), {
    screen: 'account/account',
    props: {
      name: 'Ada',
      email: 'ada@example.com',
      sections: [{ id: 'one/devices', href: '/api/auth/one/devices' }],
      siteName: 'app.test',
      siteUrl: origin,
      signOutUrl: '/api/auth/signout'
    },
    csrfToken: String
  })
})

t.test('scripts get the texts of the page in the language of the user', async (t) => {
  const sections = [{ id: 'billing', title: { en: 'Billing', de: 'Rechnungen' }, href: '/billing', text: 'Cards' }]
  const features = [accountPages({ hidden, sections }), withSections('one', [[1, 'devices']]), password()]
  const mailer = email({ from: 'a@app.test', deliver: async () => undefined, apiKey: 'key' })
  const browser = await open(t, { features, mailer })
  const read = async (path: string): Promise<unknown> => {
    const headers = { accept: 'application/json', 'accept-language': 'de-AT' }
    return (await browser.request('GET', path, { headers })).json()
  }
  await signIn(browser)
  t.match(await read(path), {
    title: 'Ihr Konto',
    texts: { 'one/devices': 'Geräte', billing: 'Rechnungen', 'billing/summary': 'Cards' }
  })
  t.match(await read('/api/auth/password/sign-up'), {
    title: 'Konto erstellen',
    texts: { email: 'E-Mail-Adresse', password: 'Passwort', continue: 'Weiter' },
    props: { form: { submit: 'continue', fields: [{ label: 'email' }, { label: 'password' }] } }
  })
  const plain = await open(t, { renderer: undefined, features: [accountPages({ hidden })] })
  await signIn(plain)
  t.match(await plain.json(path), { title: 'Your account', texts: {} })
})

t.test('letters outside ASCII before the @ of an address are the reason in every form', async (t) => {
  const mailer = email({ from: 'a@app.test', deliver: async () => undefined, apiKey: 'key' })
  const session = { strategy: 'database' as const }
  const features = [accountPages(), password(), passkey({ signUp: true })]
  const browser = await open(t, { features, mailer, session })
  const text = 'Email addresses with letters such as ä or é before the @ are not supported.'
  for (const path of ['/password/sign-up', '/password/forgot']) {
    const page = await browser.open(`/api/auth${path}`)
    const fields = { email: 'adä@example.com', ...(path.endsWith('up') ? { password: 'correct horse battery' } : {}) }
    const refused = await browser.fill(page, `/api/auth${path}`, fields)
    t.equal(refused.status, 400)
    t.ok(refused.html().text.includes(text), path)
  }
  const refused = await browser.submit('/api/auth/passkey/sign-up', { email: 'adä@example.com', credential: '{}' })
  t.match(refused.body, text)
})

/** Options that startup rejects, and what it reports. */
const invalidOptions: readonly (readonly [AccountPagesOptions, RegExp])[] = [
  [{ sections: [{ id: 'billing', title: ' ', href: '/billing' }] }, /expected a title of the section billing/],
  [{ sections: [{ id: 'billing', title: { en: 'Billing', de: '' }, href: '/billing' }] }, /expected a title/],
  ...['javascript:alert(1)', '//host.test', '/\\host.test', 'billing', '', 'data:text/html,'].map(
    (href) =>
      [
        { sections: [{ id: 'billing', title: 'Billing', href }] },
        /expected href of the section billing .* got "[^"]*"; write a path/
      ] as const
  ),
  [
    { hidden: ['account/emial'] },
    /a section in hidden, got account\/emial; there are account\/profile, account\/email,/
  ],
  [{ order: ['account/emial'] }, /a section in order, got account\/emial; there are/],
  // The pages of these stayed open.
  [{ hidden: ['delete'] }, /a section in hidden, got delete; write account\/delete/],
  [{ order: ['accounts/email'] }, /a section in order, got accounts\/email; there are/],
  [{ hidden: ['passkey/passkeys'] }, /a section in hidden, got passkey\/passkeys; there are/]
]

t.test('invalid sections are errors at startup', async (t) => {
  for (const [options, message] of invalidOptions)
    await t.rejects(open(t, { features: [accountPages(options)] }), { message }, JSON.stringify(options))
  const sections = ['/billing', 'https://shop.test/billing', 'http://localhost:3000'].map((href, at) => ({
    ...{ id: at === 0 ? 'account/plan' : `billing${at}`, title: 'Billing', href }
  }))
  const order = [...hidden, 'account/plan', 'one/devices']
  const features = [accountPages({ sections, hidden, order }), withSections('one', [[1, 'devices']])]
  await t.resolves(open(t, { features }))
})

t.test('without a mail server, the page of an unverified address does not tell the user to confirm it', async (t) => {
  const browser = await open(t, { session: { strategy: 'database' }, features: [accountPages()] })
  await signIn(browser)
  const { body } = await browser.open(`${path}/email`)
  t.match(body, 'It cannot be changed here.')
  t.notMatch(body, 'Send an email to it')
})

t.test('the screen of the application, or plain HTML without a renderer', async (t) => {
  const features = [accountPages({ hidden }), withSections('one', [[1, 'devices']])]
  const own = await open(t, { features, screens: { 'account/account': () => 'Hello' } })
  await signIn(own)
  t.equal((await own.open(path)).html().querySelector('.card')?.text, 'Hello')

  const plain = await open(t, { features, renderer: undefined })
  await signIn(plain)
  const page = await plain.open(path)
  t.equal(page.html().querySelector('p')?.text, 'Signed in as Ada ada@example.com')
  t.same(getLinks(page), [
    ['English one devices', '/api/auth/one/devices'],
    ['Back to app.test', origin],
    ['Sign out', '/api/auth/signout']
  ])
})

t.test('a screen whose component cannot be loaded is plain, with its links and its form', async (t) => {
  const broken: Feature = {
    id: 'broken',
    setup: () => ({
      texts: { en: { title: 'Broken' } },
      screens: [
        {
          name: 'page',
          title: 'title',
          component: () => Promise.reject(new Error('no')),
          plain: () => ({
            text: 'Plain',
            links: [
              { label: 'One', href: '/one' },
              { label: 'Two', href: 'javascript:alert(1)' }
            ],
            form: { action: '/three', submit: 'Send', fields: [{ name: 'note', label: 'Note', type: 'text' }] }
          })
        }
      ],
      routes: [{ method: 'GET', path: '/broken', access: 'anyone', run: (request) => request.screen('page', {}) }]
    })
  }
  const errors: string[] = []
  const logger = { error: (code: string) => void errors.push(code) }
  const browser = await open(t, { features: [broken], renderer: await createRenderer({ logger }) })
  const page = await browser.open('/api/auth/broken')
  t.same(errors, ['SCREEN_ERROR'])
  t.equal(page.html().querySelector('h1')?.text, 'Broken')
  t.same(getLinks(page), [
    ['One', '/one'],
    ['Two', '/']
  ])
  t.ok(page.html().querySelector('form[action="/three"] input[name=note]'))
})
