import type { Adapter } from '../../src/adapter/adapter.ts'
import type { EventRecord } from '../../src/adapter/event-record.ts'
import type { UserVersion } from '../../src/adapter/user-version.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'
import type { FeatureHooks } from '../../src/hooks/feature-hooks.ts'
import type { SecurityEvent } from '../../src/hooks/security-event.ts'
import { JwtSessionRegistry } from '../../src/sessions/jwt-session-registry.ts'
import { RevocationList } from '../../src/sessions/revocation-list.ts'
import type { ActingSession } from '../../src/sessions/strategy.ts'
import { type AccessChange, UserVersions, type WriteChange } from '../../src/sessions/user-versions.ts'
import { createMemoryAdapter } from './memory-adapter.ts'

const silent = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined }
const start = Date.parse('2030-01-01')
const until = new Date('2031-01-01')

const toEvent = ({ type, userId, time }: SecurityEvent): EventRecord => ({
  ...{ id: crypto.randomUUID(), type, userId, time, sessionId: null, ip: null, userAgent: null },
  ...{ provider: null, requestId: null, data: null }
})

/** What changes the access of Ada, on an adapter in this process. */
export function open(change: (adapter: Adapter) => Adapter = (adapter) => adapter) {
  let time = start
  const now = (): number => time
  const { adapter, rows } = createMemoryAdapter(now)
  const store = wrapAdapter(change(adapter), silent, { isDebugging: false, timeout: 1000 })
  const revocations =
    store.revocations &&
    new RevocationList(store.revocations, true, silent, { now, refresh: 1, stale: 60, max: 1000, maxAge: 60 })
  const registry = revocations && new JwtSessionRegistry(revocations, store, false, { logger: silent, now })
  const told: string[] = []
  const features: FeatureHooks = {
    onEvent: (event) => [{ method: 'addEvents', args: [[toEvent(event)]] }],
    afterEvent: ({ type }) => void told.push(type),
    endSession: async ({ sessionId }) => void told.push(`ended ${sessionId}`),
    ...{ waysIn: async () => 0, waysInOf: async () => null, deleteUser: async () => undefined },
    ...{ exportData: async () => ({}), lastingTickets: async () => [] }
  }
  const randomBytes = (size: number) => crypto.getRandomValues(new Uint8Array(size))
  const userVersions = new UserVersions(store, registry, features, { maxAge: 60, logger: silent, now, randomBytes })
  rows.users.set('ada', { id: 'ada', email: 'ada@example.com', emailVerified: null })
  const session = (sessionToken: string) => ({ sessionToken, userId: 'ada', expires: until })
  const advance = (milliseconds: number): void => {
    time += milliseconds
  }
  const getRow = (): UserVersion | undefined => rows.versions.get('ada')
  return { adapter, store, rows, revocations, features, userVersions, told, session, advance, getRow, now }
}

export type Opened = ReturnType<typeof open>

export const nothing: WriteChange<void> = async () => undefined
export const raise: AccessChange = { userId: 'ada', raises: true }

export const tokensOf = ({ rows }: Opened): readonly string[] => [...rows.sessions.keys()].toSorted()

export const withoutTransactions = ({ transact: _, ...adapter }: Adapter): Adapter => adapter

/** A database session that asks for a change. */
export const createActing = ({ store, session }: Opened, token: string): ActingSession => ({
  userId: 'ada',
  sessionToken: token,
  endsWithAll: false,
  isAllowed: async () => (await store.getSessionAndUser(token)) !== null,
  reissue: async (writing) => {
    await writing.deleteSession(token, true)
    await writing.createSession(session(`${token}'`))
    return { cookies: new Map(), sessionToken: `${token}'`, afterCommit: () => undefined }
  }
})
