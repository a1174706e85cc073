// Lets so many test files run at once, whichever package they are of: a file that waits, or a package that comes to its end,
// leaves no core idle. `scripts/run.mjs` gives out the slots, in the order in which files ask; each file holds a connection.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Gives out slots on a port of loopback. */
export async function openSlots(count) {
  const waiting = []
  let left = count
  const serveNext = () => {
    while (left > 0 && waiting.length > 0) {
      left -= 1
      waiting.shift().write('1')
    }
  }
  const server = createServer((socket) => {
    waiting.push(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      const index = waiting.indexOf(socket)
      if (index < 0) left += 1
      else waiting.splice(index, 1)
      serveNext()
    })
    socket.resume()
    serveNext()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: server.address().port, close: () => server.close() }
}

/** Waits for a slot. @returns What gives it back. */
export async function takeSlot(port) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'data')
  return () => socket.destroy()
}
