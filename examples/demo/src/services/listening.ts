import { createServer, type Server, type Socket } from 'node:net'

/** The address of a service, and its name for messages. */
export interface ServiceAddress {
  /** 0 selects any free port. */
  readonly port: number
  /** The interface to listen on. The default is both loopback addresses. */
  readonly host?: string
  /** The name of the service: "mail server". */
  readonly service: string
  /** The environment variable that sets the port of the service. */
  readonly variable: string
}

export interface Listening {
  readonly port: number
  /** Stops listening and closes open connections. */
  readonly close: () => Promise<void>
}

/**
 * Makes a server listen on this machine only.
 *
 * `localhost` is 127.0.0.1 for some clients and ::1 for others: without a host, the server listens on both.
 */
export async function listen(server: Server, address: ServiceAddress): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await bind(server, address.port, address.host ?? '127.0.0.1').catch((error: unknown) => {
    throw explain(error, address)
  })
  const port = getPort(server)
  const servers = address.host === undefined ? [server, await listenOnSecond(server, { ...address, port })] : [server]
  return {
    port,
    close: async () => {
      const closed = servers.map((each) => new Promise((resolve) => each.close(resolve)))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    }
  }
}

/** Converts a listen error to a message with a fix; any other error is returned unchanged. */
export function explain(error: unknown, { service, port, variable }: ServiceAddress): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const problem = code === 'EADDRINUSE' ? 'is in use' : code === 'EACCES' ? 'may not be used by this account' : null
  if (problem === null) return error
  return new Error(`${service}: port ${port} ${problem}; set ${variable} to another port`, { cause: error })
}

/** Listens on ::1 as well, and forwards the connections. Without IPv6 this is skipped. */
async function listenOnSecond(server: Server, address: ServiceAddress): Promise<Server> {
  const second = createServer((socket) => server.emit('connection', socket))
  try {
    await bind(second, address.port, '::1')
  } catch (error) {
    const explained = explain(error, address)
    if (explained !== error) {
      server.close()
      throw explained
    }
  }
  return second
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function getPort(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a server that listens on a port')
  return address.port
}
