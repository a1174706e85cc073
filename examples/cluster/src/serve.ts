import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Milliseconds between "not ready" and the end: longer than the balancer takes to notice. */
const gracePeriod = Number(process.env['GRACE_MILLISECONDS'] ?? 2000)

/**
 * Listens for the balancer, and sends the port to the parent process.
 *
 * `SIGTERM` drains the process: readiness → grace period → close. `SIGINT` omits the grace period.
 */
export async function serve(app: FastifyInstance, close: () => Promise<void> = async () => undefined): Promise<void> {
  let isReady = true
  app.get('/ready', async (_request, reply) => reply.code(isReady ? 200 : 503).send())
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  process.send?.({ port: Number(port) })

  const stop = async (): Promise<void> => {
    // The server completes every accepted request before the process exits.
    await app.close()
    await close()
    process.exit(0)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', async () => {
    isReady = false
    await delay(gracePeriod)
    await stop()
  })
}
