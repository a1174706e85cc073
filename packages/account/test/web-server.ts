import { createServer, type IncomingMessage } from 'node:http'
import type { Postern } from '@postern/core'

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Serves an application, and a page at every other path, for a real browser. */
export function serve(
  t: { teardown(work: () => unknown): unknown },
  { fetch }: Pick<Postern, 'fetch'>,
  origin: string
): Promise<void> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const isOwn = url.startsWith('/api/auth') || url.startsWith('/.well-known')
    if (!isOwn) return void response.setHeader('content-type', 'text/html').end('<!doctype html><title>home</title>')
    const body = await readBody(request)
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string])
    const answer = await fetch(new Request(origin + url, { method, headers, ...(body ? { body } : {}) }))
    response.statusCode = answer.status
    for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value)
    response.setHeader('set-cookie', answer.headers.getSetCookie()).end(await answer.text())
  })
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  return new Promise((resolve) => server.listen(Number(new URL(origin).port), 'localhost', resolve))
}
