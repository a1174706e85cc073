import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import t from 'tap'
import postern from '../src/index.ts'
import { secret } from './start.ts'

function ask(socketPath: string, path: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath, path }, async (message) => {
      let body = ''
      for await (const chunk of message) body += String(chunk)
      resolve({ status: message.statusCode ?? 0, body })
    })
    request.once('error', reject).end()
  })
}

t.test('behind a Unix socket, where visitors have no address, the routes answer', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-'))
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })
  await app.register(postern, { url: 'https://app.test', secret, providers: [] })
  const path = join(folder, 'app.sock')
  await app.listen({ path })
  t.same(await ask(path, '/api/auth/session'), { status: 200, body: '{}' })
  t.match(await ask(path, '/api/auth/csrf'), { status: 200, body: /csrfToken/ })
})
