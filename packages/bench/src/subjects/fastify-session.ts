import cookie from '@fastify/cookie'
import session from '@fastify/session'
import Fastify from 'fastify'
import { ada, type Subject, secret } from './subject.ts'

declare module 'fastify' {
  interface Session {
    user?: { readonly name: string; readonly email: string; readonly image: string }
  }
}

/** A session in the memory of the process, and nothing else: no sign-in. */
export const subject: Subject = {
  start: async ({ port }) => {
    const app = Fastify()
    await app.register(cookie)
    await app.register(session, { secret, saveUninitialized: false, rolling: false, cookie: { secure: false } })
    app.post('/signin', async (request) => {
      const { name, email, image } = ada
      request.session.user = { name, email, image }
      return {}
    })
    app.get('/me', async (request, reply) => {
      const { user } = request.session
      return user ? { user } : reply.code(401).send({ statusCode: 401 })
    })
    await app.listen({ port, host: '127.0.0.1' })
  }
}
