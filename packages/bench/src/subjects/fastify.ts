import Fastify from 'fastify'
import { ada, type Subject } from './subject.ts'

/** A bare route: the floor that everything is compared with. */
export const subject: Subject = {
  start: async ({ port }) => {
    const app = Fastify()
    const { name, email, image } = ada
    app.get('/session', async () => ({ user: { name, email, image } }))
    await app.listen({ port, host: '127.0.0.1' })
  }
}
