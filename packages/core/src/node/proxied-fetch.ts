import type { Socket } from 'node:net'
import type { Runtime } from '../model/runtime.ts'
import { http, https, net, tls } from './builtins.ts'
import { callBy, OutboundError, type Transport } from './guarded-fetch.ts'

type Connected = (error: Error | null, socket: Socket) => void

function createProxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** Requests a tunnel from the proxy (RFC 9110 §9.3.6), and connects to the server through it with TLS. */
function tunnel(proxy: URL, { hostname, port }: URL, timeout: number, done: Connected): void {
  const ask = proxy.protocol === 'https:' ? https.request : http.request
  const name = hostname.replace(/^\[|\]$/g, '')
  const authority = `${hostname}:${port || 443}`
  const headers = { host: authority, ...createProxyAuthorization(proxy) }
  const signal = AbortSignal.timeout(timeout)
  const request = ask({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: authority, headers, signal })
  request.once('connect', ({ statusCode }, socket) => {
    // SNI must be a name, not an address (RFC 6066 §3).
    if (statusCode === 200)
      return done(null, tls.connect({ socket, host: name, ...(net.isIP(name) ? {} : { servername: name }) }))
    socket.destroy()
    done(new OutboundError(`the proxy returned ${statusCode} for the tunnel`), new net.Socket())
  })
  request.once('error', (cause) => {
    const message = signal.aborted ? `no response within ${timeout} ms` : 'the proxy could not be reached'
    done(new OutboundError(message, { cause }), new net.Socket())
  })
  request.end()
}

/**
 * Creates a `fetch` that uses a proxy: `runtime: { fetch: proxiedFetch('http://proxy.internal:3128') }`.
 *
 * It has the limits of `guardedFetch`, with one exception: the proxy resolves names, so the proxy must refuse private
 * addresses. Only https URLs are allowed.
 *
 * @param address - The URL of the proxy, with user name and password if it requires them.
 */
export function proxiedFetch(address: string): Runtime['fetch'] {
  const proxy = new URL(address)
  const way: Transport = {
    isDirect: false,
    connection: (url, { timeout }) => ({
      createConnection: (_options, done) => {
        tunnel(proxy, url, timeout, done)
        return undefined
      }
    })
  }
  return (url, init, limits) => {
    const isHttps = URL.canParse(url) && new URL(url).protocol === 'https:'
    if (!isHttps) return Promise.reject(new OutboundError('expected an https URL: other URLs are not proxied'))
    return callBy(way, url, init, limits)
  }
}
