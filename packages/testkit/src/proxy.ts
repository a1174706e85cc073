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
  /** How many responses were dropped. */
  readonly lost: () => number
  /** Keeps the next response, or a later one, back for ever. @returns When the server has processed the request. */
  readonly holdAnswer: (which?: number) => Promise<void>
  /** Stops forwarding on all open connections without closing them. */
  readonly hang: () => void
}

/** What becomes of the next responses. */
class Interruption {
  #losing = 0
  #holding = 0
  #onHold = (): void => undefined
  lost = 0

  lose(which: number): void {
    this.#losing = which
  }

  hold(which: number): Promise<void> {
    this.#holding = which
    return new Promise((resolve) => {
      this.#onHold = resolve
    })
  }

  /** @returns What becomes of a response. */
  next(): 'forwarded' | 'held' | 'lost' {
    if (this.#holding > 0 && --this.#holding === 0) {
      this.#onHold()
      return 'held'
    }
    if (this.#losing === 0 || --this.#losing > 0) return 'forwarded'
    this.lost += 1
    return 'lost'
  }
}

/** Creates a server that forwards connections to a port. */
function createForwarder(target: number, sockets: Set<Socket>, interruption: Interruption) {
  return createServer((client) => {
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
      const next = interruption.next()
      if (next === 'forwarded') client.write(data)
      else if (next === 'lost') cut()
    })
  })
}

/** Creates a proxy to the server at this port; it is down at first. */
export async function newProxy(t: Test, target: number): Promise<CuttableRoute> {
  const sockets = new Set<Socket>()
  const interruption = new Interruption()
  const server = createForwarder(target, sockets, interruption)
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
    loseAnswer: (which = 1) => interruption.lose(which),
    lost: () => interruption.lost,
    holdAnswer: (which = 1) => interruption.hold(which),
    hang: () => {
      for (const socket of sockets) socket.pause()
    }
  }
}
