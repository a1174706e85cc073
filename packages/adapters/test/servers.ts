import { connect } from 'node:net'
import t, { type Test } from 'tap'

/** A server that tests need, where every developer may have one and the build has. */
export interface Server {
  readonly name: string
  readonly port: number
}

export const postgres = { name: 'PostgreSQL', port: 5432 } as const satisfies Server

/** A server that is configured by a URL, because there are several kinds of it. */
export interface Addressed extends Server {
  readonly url: string
}

const addressed = (name: string, url: string): Addressed => ({ name, url, port: Number(new URL(url).port) })

export const mysql: Addressed = addressed('MariaDB or MySQL', process.env['MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306')
export const redis: Addressed = addressed('Redis or Valkey', process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')

/** Whether what is missing is a failure. */
export const isRequired: boolean = (process.env['POSTERN_REQUIRE_ALL'] ?? '') !== ''

/** Runs tests that need a server: without it they are skipped, or fail where POSTERN_REQUIRE_ALL is set. */
export async function withServer(server: Server, run: (t: Test) => Promise<unknown>, parent: Test = t): Promise<void> {
  const isThere = await isReachable(server)
  const missing = `${server.name} does not respond at 127.0.0.1:${server.port}`
  await parent.test(server.name, { skip: isThere || isRequired ? false : missing }, async (t) => {
    if (isThere) await run(t)
    else t.fail(missing)
  })
}

function isReachable({ port }: Server): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.end())
  })
}
