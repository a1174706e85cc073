import type { LookupAddress } from 'node:dns'
import type { IncomingMessage, RequestOptions } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { FetchLimits } from '../model/runtime.ts'
import { isPublicAddress } from './public-ip.ts'
import { dns, http, https, net } from './builtins.ts'
import { wholeResponse } from './whole-response.ts'

/** An outbound call that was refused, or that did not end within its limits. */
export class OutboundError extends Error {
  override readonly name: string = 'OutboundError'
}

const refused = 'the address is not one of the public internet'

/** Resolves a name and refuses it unless every address it has is public: a rebinding name has one of each. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? []
    if (error || !first) return callback(error ?? new OutboundError('the name has no address'), '', 0)
    if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(new OutboundError(refused), '', 0)
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

/**
 * Milliseconds that a connection may be idle. Many servers close one after 5 s, and what is sent to it in that moment is
 * lost; one that tells a shorter time in `Keep-Alive` is believed, which Node does only where there is a limit anyhow.
 */
const longestIdle = 4000

// As many are kept as may be open: whoever closes some after a rush opens them again in the next one.
const agentOptions = {
  keepAlive: true,
  maxSockets: 32,
  maxFreeSockets: 32,
  scheduling: 'lifo',
  timeout: longestIdle
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
  // A literal address is never looked up, so it is checked here.
  if (!allowInsecureRequests && net.isIP(literal) !== 0 && !isPublicAddress(literal)) throw new OutboundError(refused)
  return url
}

/** The way that calls go out by. */
export interface Way {
  readonly connection: (url: URL, limits: FetchLimits) => RequestOptions
  /** Whether a socket leads to the server itself, so that its address tells where a call goes. */
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

/** Reads by events: an iterator of the stream, or a signal, costs more than the call. */
function bodyOf(message: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) message.destroy(new OutboundError(`the answer is longer than ${limit} bytes`))
      else chunks.push(chunk)
    })
    message.on('end', () => resolve(joined(chunks, size)))
    message.on('error', reject)
    message.on('close', () => {
      // After the end it is nothing to tell of, and an error that nobody sees costs as much as one that is thrown.
      if (!message.complete) reject(new Error('the connection was closed before the end of the answer'))
    })
  })
}

/** The fields as `Headers` takes them; of the usual ones a record, which takes half as long as pairs. */
function fieldsOf(message: IncomingMessage): Record<string, string> | [string, string][] {
  const { 'set-cookie': cookies, ...fields } = message.headers
  const single: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) single[name] = String(value)
  return cookies
    ? [...Object.entries(single), ...cookies.map((cookie): [string, string] => ['set-cookie', cookie])]
    : single
}

function toResponse(message: IncomingMessage, body: Uint8Array<ArrayBuffer>): Response {
  const status = message.statusCode ?? 502
  return wholeResponse(body, { status: Math.max(status, 200), headers: fieldsOf(message) })
}

function textOf(body: RequestInit['body']): string {
  if (body === null || body === undefined) return ''
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw new TypeError('expected a text or a form as the body of an outbound call')
}

/** As a record, made in a loop: to copy the fields first takes ten times as long. */
function headersOf({ headers: given }: RequestInit): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of given instanceof Headers ? given : new Headers(given)) headers[name] = value
  headers['accept-encoding'] = 'identity'
  return headers
}

/** Makes a call by a way, within its limits. */
export function callBy(way: Way, address: string, init: RequestInit, limits: FetchLimits): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (!(limits.maxBytes > 0)) throw new TypeError('expected limits.maxBytes: how many bytes the answer may have')
    const url = target(address, limits)
    const text = textOf(init.body)
    const headers = headersOf(init)
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
      bodyOf(message, limits.maxBytes)
        .then((body) => {
          clearTimeout(timer)
          return toResponse(message, body)
        })
        .then(resolve, fail)
    })
    const timer = setTimeout(() => {
      const late = new OutboundError(`no answer within ${limits.timeout} ms`)
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
 * The one way out: https to public addresses, unless the limits allow otherwise; no redirects; an end in time; a bound.
 *
 * The host is checked where it is an address itself, every address that its name has, and the socket that was
 * connected. A compressed answer is not asked for, so it cannot grow beyond the bound.
 *
 * @throws OutboundError
 */
export function guardedFetch(address: string, init: RequestInit, limits: FetchLimits): Promise<Response> {
  return callBy({ connection: directly, isDirect: true }, address, init, limits)
}
