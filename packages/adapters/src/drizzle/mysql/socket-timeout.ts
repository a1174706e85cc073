import { isObject } from '../../is-object.ts'

interface Stream {
  setTimeout(milliseconds: number): unknown
  once(event: 'timeout', listener: () => void): unknown
  destroy(error: Error): unknown
}

/** The events of a pool. */
export interface Announcing {
  on(event: 'connection' | 'acquire' | 'release', listener: (connection: object) => void): unknown
}

/**
 * Destroys connections that are in use and silent for this many milliseconds: the driver would wait for a response
 * forever, and the pool for the connection.
 */
export function setSocketTimeout(pool: Announcing, limit: number): void {
  pool.on('connection', (connection) => {
    const stream = getStream(connection)
    stream?.once('timeout', () => {
      stream.destroy(Object.assign(new Error(`expected a response within ${limit} ms`), { code: 'ETIMEDOUT' }))
    })
  })
  pool.on('acquire', (connection) => getStream(connection)?.setTimeout(limit))
  pool.on('release', (connection) => getStream(connection)?.setTimeout(0))
}

function getStream(connection: object): Stream | null {
  return 'stream' in connection && isStream(connection.stream) ? connection.stream : null
}

function isStream(stream: unknown): stream is Stream {
  return isObject(stream) && 'setTimeout' in stream && 'destroy' in stream
}
