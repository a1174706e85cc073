import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'

/** The instances that may handle a path. */
export type Route = (path: string) => readonly number[]

function shuffled(ports: readonly number[]): readonly number[] {
  return ports
    .map((port) => ({ port, rank: Math.random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ port }) => port)
}

/** Fields about the connection to the instance, not to the client (RFC 9110 §7.6.1). */
const connectionFields: readonly string[] = ['connection', 'keep-alive']

/** @param raw - Names and values in turn. */
function withoutConnection(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !connectionFields.includes((raw[index - (index % 2)] ?? '').toLowerCase()))
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, [port, ...others]: readonly number[]): void {
  if (port === undefined) {
    outgoing.writeHead(502).end('no instance answers')
    return
  }
  const { method, url, headers, socket } = incoming
  const forwarded = {
    ...headers,
    'x-forwarded-for': socket.remoteAddress ?? '',
    'x-forwarded-host': headers.host ?? ''
  }
  const onwards = request({ host: '127.0.0.1', port, method, path: url, headers: forwarded }, (result) => {
    outgoing.writeHead(result.statusCode ?? 502, withoutConnection(result.rawHeaders))
    result.pipe(outgoing)
  })
  onwards.on('error', (error) => {
    // A refused connection has not sent the request, so another instance may handle it.
    const isRefused = 'code' in error && error.code === 'ECONNREFUSED'
    if (isRefused && !outgoing.headersSent) pass(incoming, outgoing, others)
    else outgoing.destroy()
  })
  incoming.on('error', () => onwards.destroy())
  onwards.once('socket', (connection) => {
    if (!connection.connecting) incoming.pipe(onwards)
    else connection.once('connect', () => incoming.pipe(onwards))
  })
}

/** Creates a balancer that sends each request to a random instance that serves its path. */
export function createBalancer(route: Route): Server {
  return createServer((incoming, outgoing) => pass(incoming, outgoing, shuffled(route(incoming.url ?? '/'))))
}
