import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

interface Served {
  readonly origin: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly beforeResponse?: () => unknown
}

/** Answers a request of Node with a function of web requests. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { origin, fetch, beforeResponse }: Served
): Promise<void> {
  const { method = 'GET', url = '' } = request
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one])
  )
  const body = method === 'GET' || method === 'HEAD' ? null : await buffer(request)
  const result = await fetch(new Request(origin + url, { method, headers, body }))
  await beforeResponse?.()
  const fields = { ...Object.fromEntries(result.headers), 'set-cookie': result.headers.getSetCookie() }
  response.writeHead(result.status, fields)
  response.end(Buffer.from(await result.arrayBuffer()))
}
