interface Stream {
  setTimeout(milliseconds: number): unknown
  once(event: 'timeout', listener: () => void): unknown
  destroy(error: Error): unknown
}

/** What tells of the connections of a pool. */
export interface Announcing {
  on(event: 'connection' | 'acquire' | 'release', listener: (connection: object) => void): unknown
}

/**
 * Cuts connections that are in use and silent for so many milliseconds: the driver would wait for an answer for ever,
 * and the pool for the connection.
 */
export function cutSilent(pool: Announcing, limit: number): void {
  pool.on('connection', (connection) => {
    const stream = streamOf(connection)
    stream?.once('timeout', () => {
      stream.destroy(Object.assign(new Error(`expected an answer within ${limit} ms`), { code: 'ETIMEDOUT' }))
    })
  })
  pool.on('acquire', (connection) => streamOf(connection)?.setTimeout(limit))
  pool.on('release', (connection) => streamOf(connection)?.setTimeout(0))
}

function streamOf(connection: object): Stream | null {
  return 'stream' in connection && isStream(connection.stream) ? connection.stream : null
}

function isStream(stream: unknown): stream is Stream {
  return typeof stream === 'object' && stream !== null && 'setTimeout' in stream && 'destroy' in stream
}
