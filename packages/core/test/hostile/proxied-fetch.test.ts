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
  /** The requests: the target and the credentials. */
  readonly requests: readonly (readonly [target: string | undefined, authorization: string | undefined])[]
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
  const requests: [string | undefined, string | undefined][] = []
  const proxy = createServer()
  proxy.on('connect', (request, socket) => {
    requests.push([request.url, request.headers['proxy-authorization']])
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
  return { server, requests, address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

t.test('a call goes through the proxy, and the server is known by its certificate', async (t) => {
  const { address, requests } = await behindProxy(t)
  const response = await proxiedFetch(address)(`https://${host}/token`, { method: 'POST', body: 'a=b' }, limits)
  t.same(await response.json(), { path: '/token', method: 'POST' })
  t.same(requests, [[`${host}:443`, undefined]])
})

t.test('a proxy receives the credentials', async (t) => {
  const { address, requests } = await behindProxy(t)
  const fetch = proxiedFetch(address.replace('http://', 'http://ada:love%20lace@'))
  t.equal((await fetch(`https://${host}:8443/`, {}, limits)).status, 200)
  t.same(requests, [[`${host}:8443`, `Basic ${Buffer.from('ada:love lace').toString('base64')}`]])
})

t.test('a server with a certificate for another name is refused', async (t) => {
  const { address } = await behindProxy(t, 200, 'evil.example.com')
  await t.rejects(proxiedFetch(address)(`https://${host}/`, {}, limits), { name: 'OutboundError' })
})

t.test('a proxy that refuses, or is unreachable, is one error', async (t) => {
  const { address } = await behindProxy(t, 407)
  await t.rejects(proxiedFetch(address)(`https://${host}/`, {}, limits), {
    message: 'the proxy returned 407 for the tunnel'
  })
  const gone = proxiedFetch('http://127.0.0.1:1')
  await t.rejects(gone(`https://${host}/`, {}, limits), { message: 'the proxy could not be reached' })
})

t.test('a URL that is not https, or is private, is not requested', async (t) => {
  const { address, requests } = await behindProxy(t)
  const fetch = proxiedFetch(address)
  for (const url of [`http://${host}/`, 'https://127.0.0.1/', 'https://[::1]/', 'javascript:alert(1)', 'token']) {
    await t.rejects(fetch(url, {}, limits), { name: 'OutboundError' }, url)
  }
  t.same(requests, [])
})

t.test('the limits are those of every call', async (t) => {
  const { address, server } = await behindProxy(t)
  server.serve(async () => new Response('x'.repeat(1000)))
  await t.rejects(proxiedFetch(address)(`https://${host}/`, {}, { ...limits, maxBytes: 999 }), {
    name: 'OutboundError'
  })
  server.serve(() => new Promise(() => undefined))
  await t.rejects(proxiedFetch(address)(`https://${host}/`, {}, { ...limits, timeout: 100 }), {
    message: 'no response within 100 ms'
  })
})
