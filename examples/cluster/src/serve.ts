import type { FastifyInstance } from 'fastify'

/** Listens for the balancer, and sends the port to the parent process. */
export async function serve(app: FastifyInstance, close: () => Promise<void> = async () => undefined): Promise<void> {
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  process.send?.({ port: Number(port) })

  // The server completes every accepted request before the process exits.
  process.once('SIGTERM', async () => {
    await app.close()
    await close()
    process.exit(0)
  })
}
