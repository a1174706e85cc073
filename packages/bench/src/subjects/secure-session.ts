import { hash } from 'node:crypto'
import secureSession from '@fastify/secure-session'
import Fastify from 'fastify'
import { ada, type Subject, secret } from './subject.ts'

declare module '@fastify/secure-session' {
  interface SessionData {
    user: { readonly name: string; readonly email: string; readonly image: string }
  }
}

/** A session in an encrypted cookie, and nothing else: no sign-in, no expiry on the server. */
export const subject: Subject = {
  start: async ({ port }) => {
    const app = Fastify()
    // A key, as its documentation advises: to make one of a secret takes 400 ms at each start.
    const key = hash('sha256', secret, 'buffer')
    await app.register(secureSession, { key, cookie: { path: '/', httpOnly: true } })
    app.post('/signin', async (request) => {
      const { name, email, image } = ada
      request.session.set('user', { name, email, image })
      return {}
    })
    app.get('/me', async (request, reply) => {
      const user = request.session.get('user')
      return user ? { user } : reply.code(401).send({ statusCode: 401 })
    })
    await app.listen({ port, host: '127.0.0.1' })
  }
}
