import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAuthority, createCertificate, type Listening, listen } from '@postern/testkit/hostile'
import t, { type Test } from 'tap'
import { proxiedFetch } from '../../src/node/proxied-fetch.ts'

const limits = { allowInsecureRequests: false, timeout: 5000, maxBytes: 1_000_000 }
const authority = createAuthority()
const host = 'op.example.com'
setDefaultCACertificates([...getCACertificates('default'), authority.cert])

interface Proxy {
  readonly address: string
  /** What was asked of it: the target and the credentials. */
  readonly asked: readonly (readonly [target: string | undefined, authorization: string | undefined])[]
}

/** A proxy that resolves one name, and an issuer behind it. */
async function behindProxy(
  t: Test,
  status: number = 200,
  named: string = host
): Promise<Proxy & { server: Listening }> {
  const server = await listen(createCertificate(authority, named))
  t.teardown(server.close)
  server.serve(async (url, { method }) => Response.json({ path: new URL(url).pathname, method }))
  const asked: [string | undefined, string | undefined][] = []
  const proxy = createServer()
  proxy.on('connect', (request, socket) => {
    asked.push([request.url, request.headers['proxy-authorization']])
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const onward = connect(Number(new URL(server.origin).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { server, asked, address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

t.test('a call goes through the proxy, and the server is known by its certificate', async (t) => {
  const { address, asked } = await behindProxy(t)
  const answer = await proxiedFetch(address)(`https://${host}/token`, { method: 'POST', body: 'a=b' }, limits)
  t.same(await answer.json(), { path: '/token', method: 'POST' })
  t.same(asked, [[`${host}:443`, undefined]])
})

t.test('a proxy is told who asks', async (t) => {
  const { address, asked } = await behindProxy(t)
  const fetch = proxiedFetch(address.replace('http://', 'http://ada:love%20lace@'))
  t.equal((await fetch(`https://${host}:8443/`, {}, limits)).status, 200)
  t.same(asked, [[`${host}:8443`, `Basic ${Buffer.from('ada:love lace').toString('base64')}`]])
})

t.test('a server that is another than its name says is refused', async (t) => {
  const { address } = await behindProxy(t, 200, 'evil.example.com')
  await t.rejects(proxiedFetch(address)(`https://${host}/`, {}, limits), { name: 'OutboundError' })
})

t.test('a proxy that refuses, or is not there, is told as one error', async (t) => {
  const { address } = await behindProxy(t, 407)
  await t.rejects(proxiedFetch(address)(`https://${host}/`, {}, limits), {
    message: 'the proxy answered 407 to a tunnel'
  })
  const gone = proxiedFetch('http://127.0.0.1:1')
  await t.rejects(gone(`https://${host}/`, {}, limits), { message: 'the proxy could not be reached' })
})

t.test('what is no https, or a private address, is not asked for', async (t) => {
  const { address, asked } = await behindProxy(t)
  const fetch = proxiedFetch(address)
  for (const url of [`http://${host}/`, 'https://127.0.0.1/', 'https://[::1]/', 'javascript:alert(1)', 'token']) {
    await t.rejects(fetch(url, {}, limits), { name: 'OutboundError' }, url)
  }
  t.same(asked, [])
})

t.test('the limits are those of every call', async (t) => {
  const { address, server } = await behindProxy(t)
  server.serve(async () => new Response('x'.repeat(1000)))
  await t.rejects(proxiedFetch(address)(`https://${host}/`, {}, { ...limits, maxBytes: 999 }), {
    name: 'OutboundError'
  })
  server.serve(() => new Promise(() => undefined))
  await t.rejects(proxiedFetch(address)(`https://${host}/`, {}, { ...limits, timeout: 100 }), {
    message: 'no answer within 100 ms'
  })
})
