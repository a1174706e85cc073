import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { type Browser, createBrowser, fromFetch, fromInject } from '../src/index.ts'

const page = `<!doctype html><title>Sign in</title>
<form action="/login?next=%2Fhome" method="post">
  <input type="hidden" name="csrfToken" value="hidden &amp; escaped">
  <input name="name" value="nobody"><input type="password" name="password">
  <input type="checkbox" name="remember" checked><input type="checkbox" name="news">
  <select name="color"><option value="r">red</option><option value="b" selected>blue</option></select>
  <textarea name="note">a &lt; b</textarea>
  <input name="off" value="1" disabled>
  <button name="how" value="in">Sign in</button><button name="how" value="up" id="up">Sign up</button>
</form>
<form action="/away" method="post" id="away"><input type="hidden" name="xsrf" value="x1"></form>
<button form="away" name="logout" value="yes" id="yes">Yes</button>
<form action="search"><input name="q"></form>
<form action="/twice" method="post"></form><form action="/twice" method="post"></form>`

/** An application that echoes requests. */
function createApp(): FastifyInstance {
  const app = Fastify()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: string) => body
  )
  app.get('/page', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get('/private', async (_request, reply) =>
    reply.headers({ 'content-type': 'text/html', 'referrer-policy': 'no-referrer' }).send(page)
  )
  app.get('/api/auth/csrf', async (_request, reply) =>
    reply.header('set-cookie', ['csrf=t1; Path=/; HttpOnly', 'seen=yes; Path=/']).send({ csrfToken: 't1' })
  )
  app.get<{ Querystring: { to: string; status?: number } }>('/go', async ({ query }, reply) =>
    reply.redirect(query.to, query.status ?? 302)
  )
  app.post<{ Querystring: { to: string; status?: number } }>('/go', async ({ query }, reply) =>
    reply.redirect(query.to, Number(query.status ?? 302))
  )
  app.all('/*', async ({ method, url, headers, body }) => ({ method, url, headers, body: body ?? null }))
  return app
}

interface Echo {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

function start(): Browser {
  return createBrowser({ origin: 'https://app.test', send: fromInject(createApp()) })
}

t.test('open navigates as a user who typed the address', async (t) => {
  const response = await start().open('/x?a=1#fragment')
  t.equal(response.url, 'https://app.test/x?a=1')
  t.match(response.json<Echo>(), {
    method: 'GET',
    url: '/x?a=1',
    headers: {
      host: 'app.test',
      accept: /^text\/html/,
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'sec-fetch-site': 'none'
    }
  })
  t.notOk('origin' in response.json<Echo>().headers)
})

t.test('headers can be changed and taken away', async (t) => {
  const headers = { 'Sec-Fetch-Site': 'cross-site', 'sec-fetch-mode': null, purpose: 'prefetch' }
  const { headers: sent } = (await start().open('/x', { headers })).json<Echo>()
  t.match(sent, { 'sec-fetch-site': 'cross-site', purpose: 'prefetch' })
  t.notOk('sec-fetch-mode' in sent)
})

t.test('submit posts a form with a fresh token, the cookies and the origin', async (t) => {
  const browser = start()
  const echo = (await browser.submit('/in', { email: 'a+b@example.com' })).json<Echo>()
  t.match(echo, {
    method: 'POST',
    body: 'csrfToken=t1&email=a%2Bb%40example.com',
    headers: {
      cookie: 'csrf=t1; seen=yes',
      origin: 'https://app.test',
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'content-type': 'application/x-www-form-urlencoded'
    }
  })
  t.equal(browser.cookies.get('csrf'), 't1')
})

t.test('submit takes the token that a test gives', async (t) => {
  const browser = start()
  const echo = (await browser.submit('/in', { csrfToken: 'forged' })).json<Echo>()
  t.equal(echo.body, 'csrfToken=forged')
  t.strictSame(browser.cookies.all(), [])
})

t.test('submit as JSON is a script of the page', async (t) => {
  const echo = (await start().submit('/in', { a: '1' }, { json: true })).json<Echo>()
  t.match(echo, {
    body: { csrfToken: 't1', a: '1' },
    headers: { accept: 'application/json', 'sec-fetch-mode': 'cors', 'content-type': 'application/json' }
  })
})

t.test('post and request send the cookies and no browser headers', async (t) => {
  const browser = start()
  browser.cookies.set('a', '1')
  const { headers, body } = (await browser.post('/in', 'x=1')).json<Echo>()
  t.match({ headers, body }, { body: 'x=1', headers: { cookie: 'a=1' } })
  t.notOk('origin' in headers)
  t.notOk('sec-fetch-site' in headers)
  t.match((await browser.request('DELETE', '/in')).json<Echo>(), { method: 'DELETE', headers: { cookie: 'a=1' } })
  t.equal((await browser.request('HEAD', '/page')).body, '')
})

t.test('a post from another site leaves Lax cookies at home', async (t) => {
  const browser = start()
  browser.cookies.set('lax', '1', { sameSite: 'Lax' })
  const response = await browser.post('/go?to=/x&status=303', 'code=1', { 'sec-fetch-site': 'cross-site' })
  t.notOk('cookie' in response.request.headers)
  const next = (await browser.follow(response)).json<Echo>()
  t.match(next, { method: 'GET', body: null, headers: { cookie: 'lax=1', 'sec-fetch-site': 'cross-site' } })
})

t.test('fill sends a form with its hidden fields, as the visitor sees it', async (t) => {
  const browser = start()
  const response = await browser.fill(await browser.open('/page'), '/login', { name: 'ada', password: 'lovelace' })
  t.match(response.json<Echo>(), {
    method: 'POST',
    url: '/login?next=%2Fhome',
    headers: { origin: 'https://app.test', 'sec-fetch-site': 'same-origin' }
  })
  t.strictSame(
    [...new URLSearchParams(`${response.json<Echo>().body}`)],
    [
      ['csrfToken', 'hidden & escaped'],
      ['name', 'ada'],
      ['password', 'lovelace'],
      ['remember', 'on'],
      ['color', 'b'],
      ['note', 'a < b'],
      ['how', 'in']
    ]
  )
})

t.test('fill presses the button that a selector names', async (t) => {
  const browser = start()
  const { body } = (await browser.fill(await browser.open('/page'), '#up')).json<Echo>()
  t.equal(new URLSearchParams(`${body}`).get('how'), 'up')
})

t.test('fill knows fields and buttons that stand outside of their form', async (t) => {
  const browser = start()
  const echo = (await browser.fill(await browser.open('/page'), '#yes')).json<Echo>()
  t.match(echo, { method: 'POST', url: '/away', body: 'xsrf=x1&logout=yes' })
})

t.test('fill sends a GET form in the query', async (t) => {
  const browser = start()
  const response = await browser.fill(await browser.open('/page'), 'form[action=search]', { q: 'a b' })
  t.match(response.json<Echo>(), { method: 'GET', url: '/search?q=a+b' })
})

t.test('a page without referrer posts without origin, as browsers do', async (t) => {
  const browser = start()
  const echo = (await browser.fill(await browser.open('/private'), '/login')).json<Echo>()
  t.match(echo.headers, { origin: 'null', 'sec-fetch-site': 'same-origin' })
})

t.test('fill refuses what a visitor could not do', async (t) => {
  const browser = start()
  const response = await browser.open('/page')
  const fill = async (form: string, values = {}) => browser.fill(response, form, values)
  await t.rejects(fill('/login', { nick: 'x' }), /has no field nick/)
  await t.rejects(fill('/other'), /expected a form \/other/)
  await t.rejects(fill('/twice'), /expected one form \/twice .* found 2/)
  await t.rejects(async () => browser.fill(await browser.open('/x'), '/login'), /expected a page/)
})

t.test('follow behaves like a browser', async (t) => {
  const browser = start()
  const stored = await browser.follow(await browser.post('/go?to=/x&status=307', 'a=1'))
  t.match(stored.json<Echo>(), { method: 'POST', url: '/x', body: 'a=1' })
  const changed = await browser.follow(await browser.submit('/go?to=/x', {}))
  t.match(changed.json<Echo>(), { method: 'GET', body: null, headers: { 'sec-fetch-site': 'same-origin' } })
  t.notOk('origin' in changed.json<Echo>().headers)
  await t.rejects(async () => browser.follow(await browser.open('/x')), /expected .* to redirect/)
  await t.rejects(
    async () => browser.follow(await browser.open('/go?to=https://evil.test/')),
    /within https:\/\/app.test/
  )
})

t.test('followAll stops at the end, or at the border', async (t) => {
  const browser = start()
  const end = await browser.followAll(await browser.open('/go?to=/go%3Fto=/x'))
  t.equal(end.json<Echo>().url, '/x')
  const border = await browser.followAll(await browser.open('/go?to=/go%3Fto=https://issuer.test/authorize'))
  t.match(border, { status: 302, location: 'https://issuer.test/authorize' })
  await t.rejects(async () => browser.followAll(await browser.open('/go?to=')), /more than 20 times/)
})

t.test('the browser never leaves its origin', async (t) => {
  const browser = start()
  await t.rejects(browser.open('https://evil.test/'), /stays at https:\/\/app.test/)
  await t.rejects(browser.open('//evil.test/'), /stays at https:\/\/app.test/)
  t.equal((await browser.open('https://app.test/x')).status, 200)
})

t.test('a cookie that browsers refuse fails the request that brought it', async (t) => {
  const send = async () => ({ status: 200, headers: { 'set-cookie': '__Host-a=1; Path=/' }, body: '' })
  await t.rejects(createBrowser({ origin: 'https://app.test', send }).open('/'), /asks for Secure/)
})

t.test('the browser reaches a web handler as well', async (t) => {
  const seen: Request[] = []
  const browser = createBrowser({
    origin: 'https://app.test',
    send: fromFetch(async (request) => {
      seen.push(request)
      const headers = new Headers({ location: '/next' })
      headers.append('set-cookie', 'a=1; Path=/')
      headers.append('set-cookie', 'b=2; Path=/')
      return new Response(await request.text(), { status: 302, headers })
    })
  })
  const response = await browser.post('/in?x=1', 'a=1')
  t.match(response, { status: 302, location: '/next', body: 'a=1' })
  t.strictSame(
    response.setCookies.map(({ name }) => name),
    ['a', 'b']
  )
  t.match(seen[0], { method: 'POST', url: 'https://app.test/in?x=1' })
  await browser.open('/')
  t.equal(seen[1]?.headers.get('cookie'), 'a=1; b=2')
})
