import type { FastifyInstance } from 'fastify'

/** Listens for the balancer, and tells the parent where. */
export async function serve(app: FastifyInstance, close: () => Promise<void> = async () => undefined): Promise<void> {
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  process.send?.({ port: Number(port) })

  // Every request that was accepted is answered before the process ends.
  process.once('SIGTERM', async () => {
    await app.close()
    await close()
    process.exit(0)
  })
}
