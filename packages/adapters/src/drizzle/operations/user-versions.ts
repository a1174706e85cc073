import type { VersionRow } from '../../rows.ts'
import type { TableAccess } from '../table-access.ts'
import { versionColumns } from '../version-columns.ts'

/** Reads the rows that say what may sign in as a user. */
export function userVersionQueries({ tables: { posternUsers: versions }, statements }: TableAccess) {
  const columns = versionColumns(versions)
  const find = statements.find<VersionRow>(versions, { userId: columns.userId }, columns)
  return { getUserVersion: (userId: string) => find({ userId }) }
}
