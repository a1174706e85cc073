// Each configuration of a proxy in the pages runs, in front of an application that users sign in to.
// @alone: the only registration of its process, and programs beside it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import credentials from '@postern/core/providers/credentials'
import postern, { requireSession } from '@postern/fastify'
import { createBrowser } from '@postern/testkit'
import Fastify from 'fastify'
import t from 'tap'
import { blocks } from './blocks.mjs'
import { isServing, sendFrom } from './http.mjs'

/** Clients have an address that the application does not trust: of loopback, 127.0.0.1 is the proxy. */
const clientAddress = '127.0.0.2'
const page = 'docs/proxies.md'

async function getFreePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What a program writes into its folder, and how it starts; `own` is what a distribution's configuration has around the block. */
const programs = {
  nginx: {
    file: '/usr/sbin/nginx',
    own: (code, folder) =>
      `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; client_body_temp_path ${folder}/a;
       proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;\n${code} }`,
    args: (config, folder) => ['-c', config, '-p', folder]
  },
  caddyfile: {
    file: '/usr/bin/caddy',
    own: (code) => `{\n\tadmin off\n\tauto_https off\n}\n${code}`,
    args: (config) => ['run', '--adapter', 'caddyfile', '--config', config]
  },
  haproxy: { file: '/usr/sbin/haproxy', own: (code) => `${code}\n`, args: (config) => ['-db', '-f', config] },
  apache: {
    file: '/usr/sbin/apache2',
    own: (code, folder) =>
      `ServerRoot ${folder}\nPidFile ${folder}/pid\nErrorLog ${folder}/log\nServerName localhost\nDefaultRuntimeDir ${folder}\n${[
        'mpm_event',
        'authz_core',
        'headers',
        'proxy',
        'proxy_http'
      ]
        .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
        .join('\n')}\n${code}`,
    args: (config) => ['-X', '-f', config]
  },
  lighttpd: {
    file: '/usr/sbin/lighttpd',
    own: (code, folder) => `server.document-root = "${folder}"\nserver.bind = "127.0.0.1"\n${code}`,
    args: (config) => ['-D', '-f', config]
  },
  vcl: {
    file: '/usr/sbin/varnishd',
    own: (code) => code,
    args: (config, folder, port) => {
      const { code } = blocks.find(({ language }) => language === 'varnishd')
      const words = code.replace(':8080', `127.0.0.1:${port}`).replace('default.vcl', config).trim().split(/\s+/)
      return ['-F', '-n', folder, '-j', 'none', ...words.slice(1)]
    }
  },
  nghttpx: {
    file: '/usr/sbin/nghttpx',
    own: (code) => `${code}\nworkers=1\naccesslog-file=/dev/null\n`,
    args: (config) => [`--conf=${config}`]
  }
}

const isSkipped = (file) => {
  if (existsSync(file)) return false
  if (process.env.POSTERN_REQUIRE_ALL) throw new Error(`expected ${file}; install it with .ci/services`)
  return `${file} is not there`
}

/** Starts a program with a block, in front of applications that run, and waits until it serves. @param ports - By those of the page. */
async function startProxy(t, { language, code }, ports) {
  const folder = mkdtempSync(join(tmpdir(), 'postern-proxy-'))
  const { 8080: port } = ports
  const { file, own, args } = programs[language]
  const config = join(folder, 'config')
  const text = Object.entries(ports).reduce((before, [from, to]) => before.replaceAll(from, String(to)), code)
  writeFileSync(config, own(text, folder))
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(file, args(config, folder, port), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const isOver = new Promise((resolve) => child.once('exit', resolve))
  child.stdout.on('data', (chunk) => (said += chunk))
  child.stderr.on('data', (chunk) => (said += chunk))
  t.teardown(async () => {
    child.kill('SIGTERM')
    await isOver
    rmSync(folder, { recursive: true, force: true })
  })
  const until = Date.now() + 30_000
  // Apache listens, and closes again, before it answers.
  while (!(await isServing(port))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${file} does not serve: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const send = sendFrom(clientAddress)

async function listen(t, app) {
  t.teardown(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

/** Users are named by the kilobytes of their session. */
const people = credentials({
  credentials: { username: { label: 'Name' } },
  authorize: ({ username }) => ({ id: username, name: username, email: `${username}@example.com` })
})

/** @param port - Of the proxy. @returns The port of the application. */
async function startApplication(t, port, options = {}) {
  const app = Fastify({ trustProxy: '127.0.0.1' })
  const load = (name) => 'x'.repeat(Number(name) * 740)
  await app.register(postern, {
    url: `http://127.0.0.1:${port}`,
    secret: 'a secret of the tests, 32 characters or more',
    providers: [people],
    callbacks: { jwt: ({ token }) => ({ ...token, load: load(token.name) }) },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    ...options
  })
  app.get('/me', { onRequest: requireSession }, async ({ ip, host, protocol, auth }) => ({
    ...{ ip, host, protocol },
    name: auth.user.name
  }))
  app.get('/check', { onRequest: requireSession.with({ forProxy: true }) }, async (request, reply) =>
    reply.code(204).header('x-user', request.auth.user.email).send()
  )
  app.server.on('upgrade', ({ headers }, socket) => {
    // RFC 6455 §4.2.2: HAProxy checks it.
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    const fields = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`]
    socket.end(`HTTP/1.1 101 Switching Protocols\r\n${fields.join('\r\n')}\r\n\r\nhello`)
  })
  return listen(t, app)
}

/** Upgrades a connection through the proxy. @returns What the application sent over it. */
const upgrade = (port) =>
  new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': btoa('0123456789abcdef')
    }
    const request = httpRequest({ host: '127.0.0.1', port, path: '/', headers, agent: false })
    request.once('error', reject)
    request.once('response', ({ statusCode }) => reject(new Error(`expected an upgrade, got ${statusCode}`)))
    request.once('upgrade', (_, socket, head) => {
      let text = head.toString()
      socket.on('data', (chunk) => (text += chunk))
      socket.on('error', reject)
      socket.once('close', () => resolve(text))
    })
    request.end()
  })

const form = '/api/auth/callback/credentials'
const ofPage = blocks.filter((block) => block.page === page && programs[block.language])
const isCheck = ({ code }) => code.includes('/check')
const isPrefixed = ({ code }) => code.includes('location /shop/')

t.test('every proxy of the page has a configuration', async (t) => {
  t.same(new Set(ofPage.map(({ language }) => language)), new Set(Object.keys(programs)))
  t.equal(ofPage.filter(isCheck).length, 2)
})

for (const block of ofPage.filter((block) => !isCheck(block) && !isPrefixed(block))) {
  const { language, line } = block
  t.test(`${page}:${line} ${language}`, { skip: isSkipped(programs[language].file) }, async (t) => {
    const port = await getFreePort()
    const application = await startApplication(t, port)
    await startProxy(t, block, { 8080: port, 3000: application })
    for (const kilobytes of ['2', '6', '9']) {
      const browser = createBrowser({ origin: `http://127.0.0.1:${port}`, send })
      const signedIn = await browser.submit(form, { username: kilobytes })
      t.equal(signedIn.status, 302, `a session of ${kilobytes} kB is set`)
      const length = browser.cookies.all().reduce((sum, { value }) => sum + value.length, 0)
      t.ok(length > Number(kilobytes) * 1000, String(length))
      const lies = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' }
      const seen = await browser.request('GET', '/me', { headers: lies })
      t.equal(seen.status, 200, `a session of ${kilobytes} kB is read`)
      // nghttpx passes the host on: the page says to set `url`.
      const host = language === 'nghttpx' ? lies['x-forwarded-host'] : `127.0.0.1:${port}`
      const expected = { name: kilobytes, ip: clientAddress, host, protocol: 'http' }
      t.match(JSON.parse(seen.body), expected, 'what the client writes about itself does not count')
      t.equal((await browser.submit('/api/auth/signout', {})).status, 302)
      t.equal((await browser.request('GET', '/me')).status, 401)
    }
    t.equal(await upgrade(port), 'hello', 'a WebSocket')
  })
}

for (const block of ofPage.filter(isCheck)) {
  const { language, line } = block
  t.test(
    `${page}:${line} ${language}, sign-in for another application`,
    { skip: isSkipped(programs[language].file) },
    async (t) => {
      const port = await getFreePort()
      const clock = { now: Date.now() }
      const application = await startApplication(t, port, { runtime: { now: () => clock.now } })
      const orders = Fastify()
      orders.all('/*', async ({ url, method, headers }) => ({ url, method, user: headers['x-user'] ?? null }))
      await startProxy(t, block, { 8080: port, 3000: application, 4000: await listen(t, orders) })

      const origin = `http://127.0.0.1:${port}`
      const browser = createBrowser({ origin, send })
      const asked = await browser.open('/orders?id=7&all=1')
      t.equal(asked.status, 302)
      const query = new URLSearchParams({ callbackUrl: `${origin}/orders?id=7&all=1`, error: 'SessionRequired' })
      t.equal(asked.location, `${origin}/api/auth/signin?${query}`)
      const script = await browser.request('GET', '/orders', { headers: { accept: 'application/json' } })
      t.same([script.status, script.location], [401, null], 'a script gets no page')

      const done = await browser.fill(await browser.follow(asked), form, { username: '6' })
      t.equal(done.location, `${origin}/orders?id=7&all=1`)
      const reached = await browser.follow(done)
      t.same(reached.json(), { url: '/orders?id=7&all=1', method: 'GET', user: '6@example.com' })
      const posted = await browser.request('POST', '/orders', { headers: { 'x-user': 'evil@example.com' } })
      t.same(posted.json(), { url: '/orders', method: 'POST', user: '6@example.com' })

      const chunks = () => browser.cookies.all().filter(({ name }) => name.includes('session-token'))
      const before = chunks().map(({ value }) => value)
      t.ok(before.length > 1, 'the session has several cookies')
      clock.now += 2 * 24 * 3600 * 1000
      t.equal((await browser.request('GET', '/orders')).status, 200)
      const after = chunks().map(({ value }) => value)
      t.equal(after.length, before.length)
      t.ok(
        after.every((value, at) => value !== before[at]),
        'every cookie of the renewed session is set'
      )
      t.equal((await browser.request('GET', '/orders')).status, 200, 'they are one session')
    }
  )
}

for (const block of ofPage.filter(isPrefixed)) {
  const { language, line } = block
  t.test(
    `${page}:${line} ${language}, behind a path prefix`,
    { skip: isSkipped(programs[language].file) },
    async (t) => {
      const port = await getFreePort()
      const application = await startApplication(t, port, { pathPrefix: '/shop' })
      await startProxy(t, block, { 8080: port, 3000: application })
      const origin = `http://127.0.0.1:${port}`
      const browser = createBrowser({ origin, send })
      const asked = await browser.open('/shop/me')
      const query = new URLSearchParams({ callbackUrl: `${origin}/shop/me`, error: 'SessionRequired' })
      t.equal(asked.location, `${origin}/shop/api/auth/signin?${query}`)
      const done = await browser.fill(await browser.follow(asked), `/shop${form}`, { username: '6' })
      t.equal(done.location, `${origin}/shop/me`)
      t.match((await browser.follow(done)).json(), { name: '6' })
      const styles = /href="([^"]+\.css[^"]*)"|href="([^"]*\/assets\/[^"]+)"/.exec(
        (await browser.open('/shop/api/auth/signout')).body
      )
      t.equal((await browser.open(styles?.[1] ?? styles?.[2] ?? '/')).status, 200, 'the style sheet')
      for (const { path } of browser.cookies.all()) t.match(path, /^\/(?:shop\/api\/auth)?$/)
      const out = await browser.fill(await browser.open('/shop/api/auth/signout'), '/shop/api/auth/signout')
      t.equal(out.location, `${origin}/shop/me`)
      t.equal((await browser.request('GET', '/shop/me')).status, 401)
      const other = createBrowser({ origin, send })
      const again = await other.fill(await other.open('/shop/api/auth/signin'), `/shop${form}`, { username: '2' })
      t.equal(again.location, `${origin}/shop/`, 'without a page to return to')
    }
  )
}
