import type { StartOptions } from '../scenarios/lineup.ts'

/** A database that holds a crowd. */
export interface CrowdStore {
  /** How a server is started on it. */
  readonly place: Pick<StartOptions, 'file' | 'postgres'>
  /** Tables and indexes. */
  readonly bytes: number
  /** Microseconds of CPU time that the database's own processes have used for the server; 0 where it has none. */
  backendTime(): Promise<number>
  countUsers(): Promise<number>
  /** Takes it away again. */
  close(): Promise<void>
}
