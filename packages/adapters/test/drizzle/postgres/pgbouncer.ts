import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { postgres } from '../../servers.ts'
import type { TestDatabase } from './databases.ts'

/** The program, where packages install it. */
export const program: string | undefined = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
  .map((folder) => `${folder}/pgbouncer`)
  .find((file) => existsSync(file))

/** A user without privileges: PgBouncer refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * Starts a PgBouncer in transaction mode in front of the database, with fewer connections than clients have.
 *
 * @param settings - Statements that run on each connection to the server.
 * @returns The URL of the database through it.
 */
export async function startPgbouncer(
  t: Test,
  { name }: TestDatabase,
  settings: readonly string[] = []
): Promise<string> {
  if (!program) throw new TypeError('expected PgBouncer to be installed')
  const port = await findPort()
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  await chmod(folder, 0o755)
  const statements = [`set search_path = ${name}`, ...settings].join('; ').replaceAll("'", "''")
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
test = host=127.0.0.1 port=${postgres.port} user=root dbname=test connect_query='${statements}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
`
  )
  const child = spawn(program, ['pgbouncer.ini'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...nobody })
  t.teardown(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit')
    await rm(folder, { recursive: true })
  })
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes('process up')) break
  }
  child.stderr.resume()
  return `postgres://root@127.0.0.1:${port}/test`
}
