import { createServer } from 'node:http'
import type { Postern } from '@postern/core'
import { answer } from './password-server.ts'

/** Serves an application, and a page at every other path, for a real browser. */
export function serve(
  t: { teardown(work: () => unknown): unknown },
  { fetch }: Pick<Postern, 'fetch'>,
  origin: string
): Promise<void> {
  const server = createServer(async (request, response) => {
    const { url = '/' } = request
    const isOwn = url.startsWith('/api/auth') || url.startsWith('/.well-known')
    if (!isOwn) return void response.setHeader('content-type', 'text/html').end('<!doctype html><title>home</title>')
    await answer(request, response, { origin, fetch })
  })
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  return new Promise((resolve) => server.listen(Number(new URL(origin).port), 'localhost', resolve))
}
