import { connect, createServer, type Socket } from 'node:net'

interface Test {
  teardown(work: () => unknown): unknown
}

/** A connection to a server that can be interrupted. */
export interface CuttableRoute {
  readonly port: number
  readonly up: () => Promise<void>
  readonly down: () => Promise<void>
  /** Drops the next response, or a later one, with its connection: the server has processed the request. */
  readonly loseAnswer: (which?: number) => void
  /** Stops forwarding on all open connections without closing them. */
  readonly hang: () => void
}

/** Creates a proxy to the server at this port; it is down at first. */
export async function newProxy(t: Test, target: number): Promise<CuttableRoute> {
  const sockets = new Set<Socket>()
  let losing = 0
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port: target })
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', () => {
        sockets.delete(socket)
        cut()
      })
    }
    client.on('data', (data) => upstream.write(data))
    upstream.on('data', (data) => {
      if (losing > 0) losing -= 1
      else return client.write(data)
      return losing === 0 ? cut() : client.write(data)
    })
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  const { port } = address
  await close()
  t.teardown(close)
  return {
    port,
    up: () => listen(port),
    down: close,
    loseAnswer: (which = 1) => {
      losing = which
    },
    hang: () => {
      for (const socket of sockets) socket.pause()
    }
  }
}
