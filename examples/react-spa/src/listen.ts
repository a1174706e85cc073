import type { Server, Socket } from 'node:net'

export interface Listening {
  readonly port: number
  /** Stops listening and closes open connections. */
  readonly close: () => Promise<void>
}

/** Listens on this machine only; port 0 selects any free port. */
export async function listen(server: Server, port: number): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, 'localhost', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a server that listens on a port')
  return {
    port: address.port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    }
  }
}
