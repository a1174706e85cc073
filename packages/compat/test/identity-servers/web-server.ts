import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from '../postern.ts'

/** Handles a request of the Fetch standard. */
export type Handler = (request: Request) => Promise<Response> | Response

async function toRequest(request: IncomingMessage, origin: string): Promise<Request> {
  const headers = new Headers()
  for (const [name, values] of Object.entries(request.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  const { method = 'GET', url = '/' } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(origin + url, { method, headers, ...(hasBody ? { body: await text(request) } : {}) })
}

/**
 * Serves a handler over HTTP on loopback.
 *
 * @param getHandler - Receives the origin.
 * @returns The origin.
 */
export async function serve(t: Test, getHandler: (origin: string) => Handler | Promise<Handler>): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const handle = await getHandler(origin)
  server.on('request', async (incoming, outgoing) => {
    const response = await handle(await toRequest(incoming, origin))
    const cookies = response.headers.getSetCookie()
    outgoing.writeHead(response.status, {
      ...Object.fromEntries(response.headers),
      ...(cookies.length > 0 ? { 'set-cookie': cookies } : {})
    })
    outgoing.end(await response.text())
  })
  return origin
}
