import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Job } from '../load/drive.ts'
import { type ProcessOptions, type ServerProcess, startProcess } from '../load/processes.ts'
import { getLocalOrigin, getOrigin, type SubjectName } from '../subjects/subject.ts'
import type { Scenario } from './scenarios.ts'
import { leaveIssuer, type Site } from './site.ts'

/** A server that is ready to be measured. */
export interface Entrant {
  readonly name: SubjectName
  readonly server: ServerProcess
  readonly site: Site
}

/** How a server is started. */
export interface StartOptions extends ProcessOptions {
  /** The name of the file of users and sessions, where it is there already. @defaultValue a new one */
  readonly file?: string | null
  /** The address of a PostgreSQL database in place of the file, for Postern. @defaultValue none */
  readonly postgres?: string | null
}

/** Everything that runs for a while: the provider, the servers, a folder for their files. */
export interface Lineup {
  readonly issuer: string
  /** Where the files of users and sessions are. */
  readonly folder: string
  start(name: SubjectName, isStored: boolean, options?: StartOptions): Promise<Entrant>
  close(): Promise<void>
}

/** Returns a port that was free just now: the URLs in a library's options contain it before the server listens. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

/** Opens the provider, and a folder that goes with it. */
export async function openLineup(): Promise<Lineup> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'))
  const provider = await startProcess('issuer', {})
  const issuer = getOrigin(provider)
  const servers = new Set<ServerProcess>()
  return {
    issuer,
    folder,
    start: async (name, isStored, options = {}) => {
      const port = await freePort()
      const postgres = options.postgres ?? null
      const file = isStored && !postgres ? join(folder, `${options.file ?? `${name}-${port}`}.db`) : null
      const server = await startProcess('server', { subject: name, port, issuer, file, postgres }, options)
      servers.add(server)
      const stop = async (): Promise<void> => {
        servers.delete(server)
        await server.stop()
      }
      const origin = name === 'postern-features' ? getLocalOrigin({ port }) : getOrigin({ port })
      return { name, server: { ...server, stop }, site: { subject: name, port, issuer, origin } }
    },
    close: async () => {
      await leaveIssuer()
      await Promise.all([...servers].map((server) => server.stop()))
      await provider.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** @throws Error the library does not have the scenario, or its answer is wrong. */
export async function getJob({ jobs, id }: Scenario, { name, site }: Entrant): Promise<Job> {
  const make = jobs[name]
  if (!make) throw new TypeError(`expected a scenario that ${name} has, got ${id}`)
  try {
    return await make(site)
  } catch (cause) {
    throw new Error(`${id}: ${name} answers wrongly`, { cause })
  }
}
