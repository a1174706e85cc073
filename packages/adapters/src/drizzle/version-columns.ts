import type { UserAdvance } from '@postern/core'
import type { SQL } from 'drizzle-orm'
import type { VersionRow } from '../rows.ts'

/** The columns of the contract, of the table that has the version of each user. */
export function versionColumns<Column, Versions extends { readonly [Field in keyof VersionRow]: Column }>(
  versions: Versions
): Pick<Versions, keyof VersionRow> {
  const { userId, version, sessionsFrom, suspendedAt, changeId, until } = versions
  return { userId, version, sessionsFrom, suspendedAt, changeId, until }
}

/** What a change of a user's row writes. */
export function toVersionChanges<Version extends number | SQL>(
  { raises, suspendedAt, changeId, isGone }: UserAdvance,
  version: Version,
  until: SQL
) {
  return {
    version,
    changeId,
    deleteAfter: isGone ? until : null,
    ...(raises ? { sessionsFrom: version } : {}),
    ...(suspendedAt === undefined ? {} : { suspendedAt }),
    until
  }
}
