import type { PosternOptions } from '@postern/core'
import postern from '@postern/fastify'
import Fastify, { type FastifyInstance } from 'fastify'

/** Creates an instance of an application, in any process. */
export async function openInstance(options: PosternOptions): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(postern, options)
  app.get('/who', async (request) => ({ session: await request.getSession() }))
  app.get('/token', async (request) => ({ token: await request.getAccessToken('demo') }))
  return app
}
