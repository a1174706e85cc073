import type { AdapterSession, SessionRecord } from '@postern/core'
import type { SessionMethods } from '../../methods.ts'
import { toSessionPatch } from '../../rows.ts'
import type { ServerConnection } from './connection.ts'

/** The statements that write a session. */
export interface SessionStatements {
  /** Inserts a session with its record. */
  readonly insert: (session: AdapterSession, record: SessionRecord | undefined) => Promise<unknown>
  /** @returns The row as it is stored, if there is one. */
  readonly update: (sessionToken: string, patch: Partial<AdapterSession>) => Promise<AdapterSession | null | undefined>
}

/** The methods that create and update sessions. */
export function sessionMethods(
  { tables: { sessions }, statements, retryIdempotent, runOnce }: ServerConnection,
  { insert, update }: SessionStatements
) {
  const find = statements.find(sessions, { sessionToken: sessions.sessionToken })
  return {
    createSession: ({ sessionToken, userId, expires }, record) => {
      const row: AdapterSession = { sessionToken, userId, expires }
      return runOnce(
        async () => {
          await insert(row, record)
          return row
        },
        async () => {
          const found = await find({ sessionToken })
          return found?.userId === userId ? found : null
        }
      )
    },
    updateSession: async ({ sessionToken, ...changes }) => {
      const patch = toSessionPatch(changes)
      const isEmpty = Object.keys(patch).length === 0
      return (await retryIdempotent(() => (isEmpty ? find({ sessionToken }) : update(sessionToken, patch)))) ?? null
    }
  } satisfies Pick<SessionMethods, 'createSession' | 'updateSession'>
}
