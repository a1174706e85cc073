import type { Socket } from 'node:net'
import type { Runtime } from '../model/runtime.ts'
import { http, https, net, tls } from './builtins.ts'
import { callBy, OutboundError, type Way } from './guarded-fetch.ts'

type Connected = (error: Error | null, socket: Socket) => void

function authorizationOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** Asks the proxy for a tunnel (RFC 9110 §9.3.6), and speaks TLS with the server through it. */
function tunnel(proxy: URL, { hostname, port }: URL, timeout: number, done: Connected): void {
  const ask = proxy.protocol === 'https:' ? https.request : http.request
  const name = hostname.replace(/^\[|\]$/g, '')
  const authority = `${hostname}:${port || 443}`
  const headers = { host: authority, ...authorizationOf(proxy) }
  const signal = AbortSignal.timeout(timeout)
  const request = ask({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: authority, headers, signal })
  request.once('connect', ({ statusCode }, socket) => {
    // A server name is a name: an address has none (RFC 6066 §3).
    if (statusCode === 200)
      return done(null, tls.connect({ socket, host: name, ...(net.isIP(name) ? {} : { servername: name }) }))
    socket.destroy()
    done(new OutboundError(`the proxy answered ${statusCode} to a tunnel`), new net.Socket())
  })
  request.once('error', (cause) =>
    done(new OutboundError('the proxy could not be reached', { cause }), new net.Socket())
  )
  request.end()
}

/**
 * A way out through a proxy: `runtime: { fetch: proxiedFetch('http://proxy.internal:3128') }`.
 *
 * The limits are those of `guardedFetch`, but for one: names are resolved by the proxy, so it is the proxy that has to
 * refuse private addresses. Only https goes through it.
 *
 * @param address - The proxy's, with user name and password where it asks for them.
 */
export function proxiedFetch(address: string): Runtime['fetch'] {
  const proxy = new URL(address)
  const way: Way = {
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
    if (!isHttps) return Promise.reject(new OutboundError('expected an https address: a proxy is asked for no other'))
    return callBy(way, url, init, limits)
  }
}
