import { connect, createServer, type Socket } from 'node:net'

interface Test {
  teardown(work: () => unknown): unknown
}

/** A way to a server that can be cut. */
export interface CuttableWay {
  readonly port: number
  readonly up: () => Promise<void>
  readonly down: () => Promise<void>
  /** The next answer, or the one that is so many on, is lost with its connection: the server has done its work. */
  readonly loseAnswer: (which?: number) => void
  /** Nothing goes through the connections that are open any more, and neither side is told. */
  readonly hang: () => void
}

/** Makes a way to the server at this port; it is down at first. */
export async function newProxy(t: Test, target: number): Promise<CuttableWay> {
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
