import type { Adapter } from '../adapter/adapter.ts'
import { revocationMethods } from '../adapter/revocation.ts'
import type { PosternOptions } from './options.ts'

/** What decides whether sessions can be counted and ended. */
export interface SessionDraft {
  readonly options: PosternOptions
  readonly adapter: Adapter | null
  readonly isDatabaseSession: boolean
}

/** @returns Whether `session.revocations: false` is why JWT sessions cannot be ended. */
export function disablesRevocations({ options, isDatabaseSession }: Omit<SessionDraft, 'adapter'>): boolean {
  return !isDatabaseSession && options.session?.revocations === false
}

/** @returns The adapter methods that are missing to end all sessions of a user. */
export function missingToEndSessions({
  options,
  adapter,
  isDatabaseSession
}: SessionDraft): readonly (keyof Adapter)[] {
  const { revocations } = options.session ?? {}
  // `session.revocations` applies to JWT sessions only.
  if (isDatabaseSession) return adapter?.deleteSessions ? [] : ['deleteSessions']
  if (revocations) return []
  return revocationMethods.filter((name) => revocations === false || !adapter?.[name])
}

/** @returns The adapter methods that are missing to remove all accounts and sessions of a user. */
export function missingToReclaim(draft: SessionDraft): readonly (keyof Adapter)[] {
  const forAccounts = ['getAccounts', 'unlinkAccount'] as const
  return [...forAccounts.filter((name) => !draft.adapter?.[name]), ...missingToEndSessions(draft)]
}
