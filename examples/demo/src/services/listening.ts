import { createServer, type Server, type Socket } from 'node:net'

/** Where a service listens, and how its messages name it. */
export interface Place {
  /** 0 takes any free port. */
  readonly port: number
  /** An interface to listen on instead of this machine's two loopback addresses. */
  readonly host?: string
  /** "mail server". */
  readonly service: string
  /** The environment variable that moves the service to another port. */
  readonly variable: string
}

export interface Listening {
  readonly port: number
  /** Stops listening and drops the connections that are open. */
  readonly close: () => Promise<void>
}

/**
 * Makes a server listen on this machine only.
 *
 * `localhost` is 127.0.0.1 to one client and ::1 to another: without a host, the server answers on both.
 */
export async function listen(server: Server, place: Place): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await bind(server, place.port, place.host ?? '127.0.0.1').catch((error: unknown) => {
    throw explain(error, place)
  })
  const port = portOf(server)
  const servers = place.host === undefined ? [server, await listenOnSecond(server, { ...place, port })] : [server]
  return {
    port,
    close: async () => {
      const closed = servers.map((each) => new Promise((resolve) => each.close(resolve)))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    }
  }
}

/** Turns an error of listening into a sentence that says what to do; any other error is returned as it is. */
export function explain(error: unknown, { service, port, variable }: Place): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const problem = code === 'EADDRINUSE' ? 'is in use' : code === 'EACCES' ? 'may not be used by this account' : null
  if (problem === null) return error
  return new Error(`${service}: port ${port} ${problem}; set ${variable} to another port`, { cause: error })
}

/** Listens on ::1 as well, and hands the connections over. A machine without IPv6 goes without. */
async function listenOnSecond(server: Server, place: Place): Promise<Server> {
  const second = createServer((socket) => server.emit('connection', socket))
  try {
    await bind(second, place.port, '::1')
  } catch (error) {
    const explained = explain(error, place)
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

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a server that listens on a port')
  return address.port
}
