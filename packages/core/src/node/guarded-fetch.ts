import type { LookupAddress } from 'node:dns'
import type { IncomingMessage, RequestOptions } from 'node:http'
import type { LookupFunction } from 'node:net'
import { createBufferedResponse } from '../model/buffered-body.ts'
import type { FetchLimits } from '../model/runtime.ts'
import { dns, http, https, net } from './builtins.ts'
import { isPublicAddress } from './public-ip.ts'

/** An outbound call was refused, or exceeded its limits. */
export class OutboundError extends Error {
  override readonly name: string = 'OutboundError'
}

const refused = 'the address is not public'

/**
 * Resolves a name and refuses it unless all of its addresses are public: DNS rebinding mixes public and private ones.
 */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? []
    if (error || !first) return callback(error ?? new OutboundError('the host name has no address'), '', 0)
    if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(new OutboundError(refused), '', 0)
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

/**
 * Milliseconds that a connection may be idle. Many servers close idle connections after 5 s, and a request sent at that
 * moment is lost. A shorter time in the `Keep-Alive` header applies, which Node respects only if a limit is set.
 */
const maxIdleMilliseconds = 4000

// As many sockets stay idle as may be open, so that bursts of requests do not reopen connections.
const agentOptions = {
  keepAlive: true,
  maxSockets: 32,
  maxFreeSockets: 32,
  scheduling: 'lifo',
  timeout: maxIdleMilliseconds
} as const
const agents = {
  open: { 'http:': new http.Agent(agentOptions), 'https:': new https.Agent(agentOptions) },
  guarded: { 'https:': new https.Agent({ ...agentOptions, lookup: publicLookup }) }
}

function target(address: string, { allowInsecureRequests }: FetchLimits): URL {
  const url = new URL(address)
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && allowInsecureRequests)
  if (!isAllowed) throw new OutboundError('expected an https address')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  // DNS lookup is skipped for IP addresses, so they are checked here.
  if (!allowInsecureRequests && net.isIP(literal) !== 0 && !isPublicAddress(literal)) throw new OutboundError(refused)
  return url
}

/** How calls are connected. */
export interface Transport {
  readonly connection: (url: URL, limits: FetchLimits) => RequestOptions
  /** Whether the socket connects to the server itself, so that its remote address can be checked. */
  readonly isDirect: boolean
}

function directly(url: URL, { allowInsecureRequests }: FetchLimits): RequestOptions {
  if (!allowInsecureRequests) return { agent: agents.guarded['https:'], lookup: publicLookup }
  return { agent: url.protocol === 'https:' ? agents.open['https:'] : agents.open['http:'] }
}

function joined(chunks: readonly Buffer[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.length
  }
  return bytes
}

/** Reads with events: a stream iterator, or a signal, costs more than the call. */
function readBody(message: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) message.destroy(new OutboundError(`the response is longer than ${limit} bytes`))
      else chunks.push(chunk)
    })
    message.on('end', () => resolve(joined(chunks, size)))
    message.on('error', reject)
    message.on('close', () => {
      // `close` also follows a complete body, and creating an unused error would cost as much as throwing one.
      if (!message.complete) reject(new Error('the connection was closed before the end of the response'))
    })
  })
}

/** The fields for `Headers`: a record in the usual case, which takes half as long as pairs. */
function getHeaderFields(message: IncomingMessage): Record<string, string> | [string, string][] {
  const { 'set-cookie': cookies, ...fields } = message.headers
  const single: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) single[name] = String(value)
  return cookies
    ? [...Object.entries(single), ...cookies.map((cookie): [string, string] => ['set-cookie', cookie])]
    : single
}

/** Statuses whose responses have no body (Fetch, "null body status"). */
const bodiless = new Set([204, 205, 304])

function toResponse(message: IncomingMessage, body: Uint8Array<ArrayBuffer>): Response {
  const status = Math.max(message.statusCode ?? 502, 200)
  const init = { status, headers: getHeaderFields(message) }
  return bodiless.has(status) ? new Response(null, init) : createBufferedResponse(body, init)
}

function toBodyText(body: RequestInit['body']): string {
  if (body === null || body === undefined) return ''
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw new TypeError('expected a string or a form as the body of an outbound call')
}

/** A record, built in a loop: copying the fields first takes ten times as long. */
function toHeaders({ headers: given }: RequestInit): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of given instanceof Headers ? given : new Headers(given)) headers[name] = value
  headers['accept-encoding'] = 'identity'
  return headers
}

/** Makes a call over a transport, within its limits. */
export function callBy(way: Transport, address: string, init: RequestInit, limits: FetchLimits): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (!(limits.maxBytes > 0))
      throw new TypeError('expected limits.maxBytes: the maximum size of the response in bytes')
    const url = target(address, limits)
    const text = toBodyText(init.body)
    const headers = toHeaders(init)
    const isForm = init.body instanceof URLSearchParams && !('content-type' in headers)
    const content = {
      ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } : {}),
      ...(text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) })
    }
    const fail = (cause: unknown): void => {
      clearTimeout(timer)
      reject(cause instanceof OutboundError ? cause : new OutboundError('the server could not be reached', { cause }))
    }
    const options = {
      method: init.method ?? 'GET',
      headers: { ...headers, ...content },
      ...way.connection(url, limits)
    }
    const send = url.protocol === 'https:' ? https.request : http.request
    const request = send(url, options, (message) => {
      readBody(message, limits.maxBytes)
        .then((body) => {
          clearTimeout(timer)
          return toResponse(message, body)
        })
        .then(resolve, fail)
    })
    const timer = setTimeout(() => {
      const late = new OutboundError(`no response within ${limits.timeout} ms`)
      fail(late)
      request.destroy(late)
    }, limits.timeout)
    request.on('socket', (socket) => {
      const check = (): void => {
        const isRefused = way.isDirect && !limits.allowInsecureRequests && !isPublicAddress(socket.remoteAddress ?? '')
        if (isRefused) request.destroy(new OutboundError(refused))
      }
      if (socket.connecting) socket.once('connect', check)
      else check()
    })
    request.on('error', fail)
    request.end(text)
  })
}

/**
 * Fetches https URLs with public addresses, unless the limits allow others; does not follow redirects, and limits time
 * and size.
 *
 * The host is checked if it is an IP address, and so are all addresses that its name resolves to and the connected
 * socket. No compressed response is requested, so decompression cannot exceed the limit.
 *
 * @throws OutboundError
 */
export function guardedFetch(address: string, init: RequestInit, limits: FetchLimits): Promise<Response> {
  return callBy({ connection: directly, isDirect: true }, address, init, limits)
}
