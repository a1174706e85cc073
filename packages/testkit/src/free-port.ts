import { createServer } from 'node:net'

/**
 * Finds an unused port, for a server that needs a port number in its options. It is below 32768, where the system's
 * ephemeral ports begin: another process could get one of those before it is used.
 */
export async function freePort(): Promise<number> {
  const port = 11_000 + Math.floor(Math.random() * 21_000)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise((resolve) => server.close(resolve))
  return port
}
