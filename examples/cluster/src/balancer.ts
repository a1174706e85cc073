import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'

/** Where a request may go. */
export type Route = (path: string) => readonly number[]

function shuffled(ports: readonly number[]): readonly number[] {
  return ports
    .map((port) => ({ port, rank: Math.random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ port }) => port)
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
  const onwards = request({ host: '127.0.0.1', port, method, path: url, headers: forwarded }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(outgoing)
  })
  onwards.on('error', (error) => {
    // Where nobody listens nothing was asked yet, so another instance may be.
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

/** Sends each request to any of the instances that serve its path, whichever had the one before. */
export function createBalancer(route: Route): Server {
  return createServer((incoming, outgoing) => pass(incoming, outgoing, shuffled(route(incoming.url ?? '/'))))
}
