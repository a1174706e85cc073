import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import t from 'tap'
import { guardedFetch } from '../../src/node/guarded-fetch.ts'
import { isPublicAddress } from '../../src/node/public-ip.ts'
import { certificate } from './certificate.ts'

const open = { allowInsecureRequests: true, timeout: 5000, maxBytes: 1_000_000 }
const guarded = { allowInsecureRequests: false, timeout: 5000, maxBytes: 1_000_000 }
const refused = { name: 'OutboundError' }

interface Test {
  teardown(work: () => unknown): unknown
}

async function listen(t: Test, server: Server, host?: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return port
}

/** A server on loopback, and its requests. */
async function serve(
  t: Test,
  result: RequestListener
): Promise<{ readonly url: string; readonly requests: readonly IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    result(request, response)
  })
  t.teardown(() => server.closeAllConnections())
  return { url: `http://127.0.0.1:${await listen(t, server, '127.0.0.1')}`, requests }
}

async function getBody(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString()
}

t.test('a call brings status, headers and body', async (t) => {
  const { url, requests } = await serve(t, (_, response) => {
    response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'], 'x-header': 'value' })
    response.end('{"ok":"ä"}')
  })
  const response = await guardedFetch(`${url}/path?a=b`, { headers: { Authorization: 'Bearer a' } }, open)
  t.equal(response.status, 201)
  t.same(await response.json(), { ok: 'ä' })
  t.same(response.headers.getSetCookie(), ['a=1', 'b=2'])
  t.match(requests, [
    { method: 'GET', url: '/path?a=b', headers: { authorization: 'Bearer a', 'accept-encoding': 'identity' } }
  ])
})

t.test('a rush opens connections, and the next one finds them open', async (t) => {
  const crowd = 20
  const waiting: ServerResponse[] = []
  let opened = 0
  const server = createServer((_, response) => {
    waiting.push(response)
    if (waiting.length === crowd) for (const each of waiting.splice(0)) each.end()
  })
  server.on('connection', () => {
    opened += 1
  })
  t.teardown(() => server.closeAllConnections())
  const url = `http://127.0.0.1:${await listen(t, server, '127.0.0.1')}`
  for (let rush = 0; rush < 3; rush++) {
    await Promise.all(Array.from({ length: crowd }, () => guardedFetch(url, {}, open)))
  }
  t.equal(opened, crowd)
})

t.test('an idle connection is closed before the timeout that the server announces', async (t) => {
  const server = createServer({ keepAliveTimeout: 2000 }, (_, response) => response.end())
  const closedBy = new Promise<string>((resolve) => {
    server.on('connection', (socket: Socket) => {
      socket.once('end', () => resolve('caller'))
      socket.once('close', () => resolve('server'))
    })
  })
  const url = `http://127.0.0.1:${await listen(t, server, '127.0.0.1')}`
  await guardedFetch(url, {}, open)
  t.equal(await closedBy, 'caller')
})

t.test('forms and texts are posted', async (t) => {
  const { url } = await serve(t, (request, response) => {
    void getBody(request).then((body) =>
      response.end(JSON.stringify([request.headers['content-type'], request.headers['content-length'], body]))
    )
  })
  const post = async (body: string | URLSearchParams, headers: Record<string, string> = {}): Promise<unknown> =>
    (await guardedFetch(url, { method: 'POST', body, headers }, open)).json()
  t.same(await post(new URLSearchParams({ a: 'ä' })), [
    'application/x-www-form-urlencoded;charset=UTF-8',
    '8',
    'a=%C3%A4'
  ])
  t.same(await post('"ä"', { 'content-type': 'application/json' }), ['application/json', '4', '"ä"'])
  await t.rejects(guardedFetch(url, { method: 'POST', body: new Blob(['a']) }, open), TypeError)
})

t.test('an answer without a body has none', async (t) => {
  const { url } = await serve(t, (request, response) => response.writeHead(Number(request.url?.slice(1))).end())
  for (const status of [200, 204, 304, 404, 500]) {
    const response = await guardedFetch(`${url}/${status}`, {}, open)
    t.equal(response.status, status)
    t.equal(await response.text(), '')
  }
})

t.test('oauth-4: a redirect is a response, and is not followed', async (t) => {
  const { url, requests } = await serve(t, (_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  const response = await guardedFetch(url, {}, open)
  t.equal(response.status, 302)
  t.equal(response.headers.get('location'), '/elsewhere')
  t.equal(requests.length, 1)
})

t.test('oauth-4: a response has at most a megabyte, and is not read on beyond it', async (t) => {
  const chunk = Buffer.alloc(100_000, 'a')
  const send = (response: ServerResponse, left: number): void => {
    if (left === 0) response.end()
    else if (!response.destroyed) response.write(chunk, () => send(response, left - 1))
  }
  const closed: Promise<unknown>[] = []
  const { url } = await serve(t, (request, response) => {
    closed.push(new Promise((resolve) => response.once('close', resolve)))
    send(response, request.url === '/endless' ? Number.POSITIVE_INFINITY : 10)
  })
  t.equal((await (await guardedFetch(`${url}/much`, {}, open)).text()).length, 1_000_000)
  await t.rejects(guardedFetch(`${url}/endless`, {}, open), { ...refused, message: /longer than 1000000 bytes/ })
  await Promise.all(closed)
})

t.test('a call without a maximum response size is refused', async (t) => {
  const limits: Parameters<typeof guardedFetch>[2] = JSON.parse('{"allowInsecureRequests":true,"timeout":1000}')
  await t.rejects(guardedFetch('http://127.0.0.1:1', {}, limits), /expected limits\.maxBytes/)
})

t.test('a compressed answer that no one requested stays as it is', async (t) => {
  const { url } = await serve(t, (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
  )
  t.equal(await (await guardedFetch(url, {}, open)).text(), 'no gzip')
})

t.test('oauth-4: a response must complete in time, to its last byte', async (t) => {
  const { url } = await serve(t, (request, response) => {
    if (request.url === '/slow') response.writeHead(200, { 'content-length': '10' }).write('a')
  })
  for (const path of ['/never', '/slow']) {
    await t.rejects(guardedFetch(url + path, {}, { ...open, timeout: 60 }), {
      ...refused,
      message: 'no response within 60 ms'
    })
  }
})

t.test('a server that disconnects, does not use HTTP or is unreachable is one error', async (t) => {
  const { url } = await serve(t, (request, response) => {
    if (request.url === '/cut') response.writeHead(200, { 'content-length': '10' }).write('a', () => response.destroy())
    else response.destroy()
  })
  const mute = createTcpServer((socket) => socket.on('error', () => undefined).end('no HTTP\r\n\r\n'))
  const port = await listen(t, mute, '127.0.0.1')
  for (const address of [
    `${url}/`,
    `${url}/cut`,
    `http://127.0.0.1:${port}`,
    'http://127.0.0.1:1',
    'https://name.invalid'
  ]) {
    await t.rejects(
      guardedFetch(address, {}, open),
      { ...refused, message: 'the server could not be reached' },
      address
    )
  }
})

const spellings = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.000.000.001',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '0177.0.0.1',
    '0177.1',
    '017700000001'
  ],
  ...[
    '127.255.255.254',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    'user:word@127.0.0.1',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
    '0x0'
  ],
  ...[
    'localhost',
    'LOCALHOST',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::]'
  ],
  ...[
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00::1]',
    '169.254.169.254',
    '10.0.0.1',
    '192.168.1.1',
    '100.64.0.1'
  ]
]

t.test(
  `oauth-4: loopback and private hosts in ${spellings.length} spellings are refused without a connection`,
  async (t) => {
    let connections = 0
    const server = createTcpServer((socket) => {
      connections++
      socket.destroy()
    })
    const port = await listen(t, server)
    for (const host of spellings) {
      await t.rejects(guardedFetch(`https://${host}:${port}/`, {}, guarded), refused, host)
    }
    t.equal(connections, 0)
    await t.rejects(guardedFetch(`https://127.0.0.1:${port}/`, {}, open), refused)
    t.equal(connections, 1, 'the server counts')
  }
)

t.test('oauth-4: http and everything else that is not a https is refused without a connection', async (t) => {
  const { url, requests } = await serve(t, (_, response) => response.end())
  for (const address of [
    url,
    'http://example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'data:,a',
    'javascript:1'
  ]) {
    await t.rejects(guardedFetch(address, {}, guarded), { ...refused, message: 'expected an https address' }, address)
  }
  await t.rejects(guardedFetch('file:///etc/passwd', {}, open), refused)
  await t.rejects(guardedFetch('https://[', {}, guarded), TypeError)
  t.equal(requests.length, 0)
})

t.test('a certificate that no one vouches for is refused, also where http would do', async (t) => {
  const server = createHttpsServer(certificate, (_, response) => void response.end('secret'))
  const port = await listen(t, server, '127.0.0.1')
  await t.rejects(guardedFetch(`https://localhost:${port}`, {}, open), refused)
  await t.rejects(guardedFetch(`https://127.0.0.1:${port}`, {}, open), refused)
})

const publicOnes = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2606:4700::1111',
  '2a00::1',
  '2001:4860:4860::8888'
]
const closed4 = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.0',
  '127.255.255.255',
  '169.254.0.0',
  '169.254.255.255',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255'
]
const closed6 = [
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:c0a8:1',
  '::10.0.0.1',
  '::ffff:0:7f00:1',
  '::ffff:0:a00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:a00:1::1',
  '3fff::1',
  '3fff:fff:ffff::1',
  '5f00::1',
  '5f00:ffff::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'FE80::1'
]

t.test('oauth-4: public addresses are those of the registries', async (t) => {
  for (const address of publicOnes) t.equal(isPublicAddress(address), true, address)
  for (const address of [...closed4, ...closed6]) t.equal(isPublicAddress(address), false, address)
  for (const address of ['', 'localhost', '127.1', '0x7f000001', '1.1.1.1.1', '1.1.1', ':::', '1.1.1.1 '])
    t.equal(isPublicAddress(address), false, address)
})
