import t from 'tap'
import { origin, signInByForm, start } from './start.ts'

const evil = 'https://evil.test'
const listed = 'https://www.app.test'

const refusals = [
  ['/signin/demo', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/signin/email', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/signin/credentials', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/signin/nobody', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/callback/credentials', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/callback/email', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/signout', /^https:\/\/app\.test\/api\/auth\/signout\?csrf=true$/]
] as const

t.test('allowed origins may post if the browser only sends Origin', async (t) => {
  const { browser } = await start(t, { allowedOrigins: [listed] })
  const fields = { username: 'grace', password: 'lovelace' }
  const post = (headers: Readonly<Record<string, string | null>>) =>
    browser.submit('/api/auth/callback/credentials', fields, { headers })
  t.equal((await post({ 'sec-fetch-site': null, origin: listed })).location, origin)
  t.match((await post({ 'sec-fetch-site': null, origin: evil })).location, /csrf=true/)
  t.match((await post({ 'sec-fetch-site': 'cross-site', origin: evil })).location, /csrf=true/)
})

t.test('csrf-1: every form that changes something needs the token of the browser’s own cookie', async (t) => {
  for (const [path, location] of refusals) {
    const { browser, newBrowser, issuer, mailbox, store } = await start(t)
    const other = await newBrowser().json<{ csrfToken: string }>('/api/auth/csrf')
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const fields = { email: 'ada@example.com', username: 'grace', password: 'lovelace' }
    const wrong = [
      other.csrfToken,
      csrfToken.slice(1),
      `${csrfToken}0`,
      csrfToken.toUpperCase().replace(/\d/g, 'A'),
      ''
    ]
    for (const token of wrong) {
      const response = await browser.submit(`/api/auth${path}`, { ...fields, csrfToken: token })
      t.match(
        { status: response.status, location: response.location },
        { status: 302, location },
        `${path} ${token.length}`
      )
    }
    const without = await browser.post(`/api/auth${path}`, `${new URLSearchParams(fields)}`)
    t.match(without.location, location)
    const inQuery = await browser.post(`/api/auth${path}?csrfToken=${csrfToken}`, `${new URLSearchParams(fields)}`)
    t.match(inQuery.location, location, 'a token in the query does not count')
    const twice = await browser.post(
      `/api/auth${path}`,
      `csrfToken=${csrfToken}&csrfToken=${csrfToken}&email=ada@example.com`
    )
    t.match(twice.location, location, 'nor one that comes twice')
    const listed = await browser.post(`/api/auth${path}`, JSON.stringify({ ...fields, csrfToken: [csrfToken] }), {
      'content-type': 'application/json'
    })
    t.match(listed.location, location, 'nor a list')
    browser.cookies.clear()
    const bare = await browser.submit(`/api/auth${path}`, { ...fields, csrfToken })
    t.match(bare.location, location, 'nor one without its cookie')
    t.same(
      { mails: mailbox.mails.length, requests: issuer.requests.length, calls: store.count() },
      { mails: 0, requests: 0, calls: 0 }
    )
  }
})

t.test('the log says why a form was refused', async (t) => {
  const { browser, newBrowser, log } = await start(t)
  const getMessages = (): readonly unknown[] =>
    log
      .splice(0)
      .map((line) => JSON.parse(line))
      .filter(({ code }) => code === 'CSRF_TOKEN_INVALID')
      .map(({ auth }) => auth.message)
  const fields = { username: 'grace', password: 'lovelace' }
  const path = '/api/auth/callback/credentials'
  await signInByForm(newBrowser())
  t.same(getMessages(), [])
  await newBrowser().post(path, 'csrfToken=0', { origin })
  t.match(getMessages(), [/has no CSRF cookie; do browsers open the application at https:\/\/app\.test/])
  await browser.open('/api/auth/csrf')
  await browser.submit(path, { ...fields, csrfToken: '0'.repeat(64) })
  t.match(getMessages(), [/is not that of the cookie/])
  await browser.submit(path, fields, {
    headers: { 'sec-fetch-site': 'cross-site', origin: `${evil}/${'x'.repeat(300)}` }
  })
  const [message, ...others] = getMessages()
  await browser.submit(path, fields, { headers: { 'sec-fetch-site': null, origin: 'null' } })
  t.match(getMessages(), [/^the form was sent with Origin: null.*Referrer-Policy: no-referrer.*strict-origin/])
  t.match(message, /^the form was sent from https:\/\/evil\.test\/x+, and the application is at https:\/\/app\.test;/)
  t.ok(String(message).length < 400, 'a client does not choose how long it is')
  t.same(others, [])
})

t.test(
  'a page at another address than url is named once: providers return to url, and passkeys are refused',
  async (t) => {
    const { browser, log } = await start(t)
    const warnings = () => log.filter((line) => line.includes('URL_MISMATCH'))
    const vite = 'http://localhost:5173'
    const post = async (headers: Readonly<Record<string, string>>): Promise<number> => {
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      const body = new URLSearchParams({ csrfToken, username: 'nobody' }).toString()
      const type = 'application/x-www-form-urlencoded'
      return (await browser.post('/api/auth/callback/credentials', body, { 'content-type': type, ...headers })).status
    }
    for (const headers of [
      { origin },
      { origin, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin' }
    ])
      await post(headers)
    t.same(warnings(), [])
    for (let count = 0; count < 2; count++) await post({ origin: vite, 'sec-fetch-site': 'same-origin' })
    t.equal(warnings().length, 1)
    t.match(warnings()[0], `browsers open the application at ${vite}, but url is ${origin}`)
  }
)
