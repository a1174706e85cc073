import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from './certificate.ts'

/** Handles a request; the signature of `fetch`. */
export type Answer = (url: string, init: RequestInit) => Promise<Response>

/** A server on loopback. */
export interface Listening {
  /** `http://127.0.0.1:12345`. */
  readonly origin: string
  /** Sets the handler; until then, and if it throws, connections are destroyed. */
  readonly serve: (handle: Answer) => void
  /** Replaces the certificate. */
  readonly certify: (certificate: Certificate) => void
  /** The number of connections. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

async function getBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Writes a body as it arrives, and stops if the client disconnects. */
async function write(response: ServerResponse, body: Response['body']): Promise<void> {
  const reader = body?.getReader()
  response.on('close', () => void reader?.cancel().catch(() => null))
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: null }
    if (done) return void response.end()
    const isFull = !response.write(value)
    if (isFull) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
  }
}

async function reply(
  origin: string,
  handle: Answer,
  message: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const { method = 'GET', url = '/', headers } = message
  const texts = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const body = await getBody(message)
  const init = { method, headers: texts, ...(method === 'GET' || method === 'HEAD' ? {} : { body }) }
  const answered = await handle(origin + url, init)
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  await write(response, answered.body)
}

/** Listens on loopback, with TLS if a certificate is given. */
export async function listen(certificate: Certificate | null = null): Promise<Listening> {
  let handle: Answer = async () => Promise.reject(new Error('no server responds yet'))
  let connections = 0
  const on = (message: IncomingMessage, response: ServerResponse): void => {
    reply(origin, handle, message, response).catch(() => message.socket.destroy())
  }
  const tls = certificate && createTlsServer({ ...certificate }, on)
  const server = tls ?? createServer(on)
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`
  return {
    origin,
    serve: (next) => {
      handle = next
    },
    certify: (next) => {
      tls?.setSecureContext({ ...next })
      server.closeAllConnections()
    },
    connections: () => connections,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
