import { createServer } from 'node:net'

/** Ports that nobody listens on, for settings that are needed before anything listens. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, resolve))
      return server
    })
  )
  return Promise.all(
    servers.map(async (server) => {
      const address = server.address()
      await new Promise((resolve) => server.close(resolve))
      return typeof address === 'object' && address !== null ? address.port : 0
    })
  )
}
