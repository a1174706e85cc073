import type { Adapter } from '../adapter/adapter.ts'
import { getAccountSource } from '../adapter/exact-matches.ts'
import { disablesRevocations, missingToEndSessions, missingToReclaim } from './missing-methods.ts'
import type { NormalizedOptions } from './normalized-options.ts'

/** What is missing, and how to get it. */
interface Cause {
  readonly reason: string
  readonly fix: string
}

/** An option that disables the methods is the cause, whatever the adapter has. */
function getCause(missing: readonly string[], draft: NormalizedOptions): Cause {
  return disablesRevocations(draft)
    ? { reason: 'session.revocations: with false', fix: 'remove session.revocations' }
    : { reason: `adapter: without ${missing.join(', ')}`, fix: 'use an adapter of @postern/adapters, add the methods' }
}

/** @returns Whether the adapter cannot check how the database compares account ids. */
function hasUncheckedAccounts({ adapter, found, isDatabaseSession }: NormalizedOptions): boolean {
  const hasAccounts = found.providers.some(
    ({ traits: { accountPolicy } }) =>
      accountPolicy === 'link' || (accountPolicy === 'application' && isDatabaseSession)
  )
  return adapter !== null && hasAccounts && getAccountSource(adapter) === null
}

/**
 * @returns Whether the adapter may be that of an application that is migrated: it has the methods of next-auth only. Their
 * rows contain tokens, and Postern looks for hashes of them, so that every user is signed out.
 */
function mayHaveForeignSessions({ adapter, options, isDatabaseSession }: NormalizedOptions): boolean {
  return isDatabaseSession && adapter !== null && !adapter.listSessions && options.session?.storage === undefined
}

/** @returns Whether each write of a change takes effect by itself, so that a killed process may leave some of them. */
const makesChangesInSteps = ({ getUserVersion, advanceUser, transact }: Adapter): boolean =>
  Boolean(getUserVersion && advanceUser && !transact)

/** @returns Warnings about sessions that are not found, changes that may stay incomplete, and about operations that Postern refuses because the adapter lacks methods or checks. */
export function adapterWarnings(draft: NormalizedOptions): readonly string[] {
  const { adapter, found } = draft
  if (!adapter) return []
  const forSessions = missingToEndSessions(draft)
  const forReclaim = missingToReclaim(draft)
  const hasMail = found.providers.some(({ traits }) => traits.provesMailbox)
  const isJoinRefused = hasMail && forReclaim.length > 0
  const isRemovalRefused = forSessions.length > 0 && Boolean(adapter.deleteUser ?? adapter.unlinkAccount)
  const [reclaim, ending] = [getCause(forReclaim, draft), getCause(forSessions, draft)]
  return [
    ...(mayHaveForeignSessions(draft)
      ? [
          'session.storage: not set, so sessions that next-auth or Auth.js stored are not valid; ' +
            "set 'plain' while next-auth is running, 'both' for one session.maxAge afterwards, and 'hashed' if there are no such sessions"
        ]
      : []),
    ...(isJoinRefused
      ? [
          `${reclaim.reason}, sign-in by email is refused for users whose address is unverified, ` +
            `because the accounts and sessions that another person may have added cannot be removed; ${reclaim.fix}`
        ]
      : []),
    ...(isRemovalRefused
      ? [
          `${ending.reason}, app.postern.unlink and deleteUser are refused, because sessions ` +
            `would remain valid; ${ending.fix}, or pass { sessions: 'keep' } to the call`
        ]
      : []),
    ...(hasUncheckedAccounts(draft)
      ? [
          'adapter: it has neither getAccount nor getAccounts, so Postern cannot check whether the database confuses account ' +
            'ids; give the columns provider and providerAccountId of its accounts a binary collation'
        ]
      : []),
    ...(makesChangesInSteps(adapter)
      ? [
          'adapter: without transact, a process that is killed during a change leaves a part of it: a user without an account, whose ' +
            'address gets OAuthAccountNotLinked until the user is deleted, or an account that an ended session was linking; ' +
            'docs/adapters.md lists what may remain'
        ]
      : [])
  ]
}
