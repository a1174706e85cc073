import { type CuttableRoute, newProxy } from '@postern/testkit'
import type { Rows } from '@postern/testkit/consistency-checker'
import type { Test } from 'tap'
import { DatabaseError } from '../../src/database-error.ts'
import type { ServerAdapter } from '../../src/drizzle/adapter-type.ts'
import type { UserRow } from '../../src/user-columns.ts'

/** Options of an adapter. */
export interface Limits {
  readonly max?: number
  /** In milliseconds. */
  readonly statementTimeout?: number
}

/** What the tests of a server in trouble do to it. `D` is a database of the test. */
export interface ServerUnderTest<D extends { readonly url: string }> {
  readonly port: number
  readonly open: (t: Test, database: Pick<D, 'url'>, limits?: Limits) => ServerAdapter<UserRow>
  /** The ways to open an adapter. */
  readonly methods: Readonly<Record<string, (t: Test, database: D) => ServerAdapter<UserRow>>>
  readonly getDatabase: (t: Test) => Promise<D>
  readonly createDatabase: (t: Test) => Promise<D>
  /** Holds a lock while `work` runs: rows of `account` are not written, rows of `user` are not read. */
  readonly whileLocked: (
    database: D,
    table: 'account' | 'user',
    work: (release: () => Promise<unknown>) => Promise<unknown>
  ) => Promise<unknown>
  /** Waits until the adapter waits for a lock, on a connection that has not been ended. */
  readonly blocked: (database: D, ended?: Set<number>) => Promise<number>
  readonly endBlocked: (database: D, ended: Set<number>) => Promise<void>
  /** Ends the connections of the adapter that are idle. @returns How many there were. */
  readonly endIdle: (database: D) => Promise<number>
  /** Ends a connection of the adapter, which any may be. @returns How many. */
  readonly endAny: (database: D) => Promise<number>
  readonly countConnections: (database: D) => Promise<number>
  readonly readRows: (database: D) => Promise<Rows>
  readonly run: (database: D, statement: string) => Promise<unknown>
  /** Holds the row of the session `used` while `work` runs, after which it does not expire. */
  readonly whileUsed: (t: Test, database: D, work: () => Promise<unknown>) => Promise<unknown>
  /** Statements that let no session be written, and that undo it. */
  readonly fullDisk: { readonly fill: string; readonly free: string }
  /** Codes of errors. */
  readonly codes: { readonly ended: RegExp; readonly slow: RegExp; readonly full: RegExp }
  /** An address that a column refuses. */
  readonly refusedEmail: string
}

/** The code of the error that a call fails with. */
export const getCode = async (call: unknown): Promise<unknown> => {
  const [{ reason }] = (await Promise.allSettled([call])) as [PromiseRejectedResult]
  return reason instanceof DatabaseError ? reason.code : reason
}

/** A proxy in front of the server, and the URL that leads through it. */
export async function openProxy<D extends { readonly url: string }>(
  t: Test,
  { port }: Pick<ServerUnderTest<D>, 'port'>,
  { url }: Pick<D, 'url'>
): Promise<CuttableRoute & { readonly url: string }> {
  const proxy = await newProxy(t, port)
  return { ...proxy, url: url.replace(`${port}`, `${proxy.port}`) }
}

/** An adapter that reaches the server through a proxy. */
export async function openThroughProxy<D extends { readonly url: string }>(
  t: Test,
  server: ServerUnderTest<D>,
  limits: Limits = {}
) {
  const database = await server.getDatabase(t)
  const proxy = await openProxy(t, server, database)
  await proxy.up()
  return { database, proxy, adapter: server.open(t, proxy, limits) }
}
