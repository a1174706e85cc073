import { isKey } from '../statements.ts'
import type { TableAccess } from '../table-access.ts'

/** Reads accounts. */
export function accountQueries({ tables: { accounts }, statements }: TableAccess) {
  const { isExactly, prepare } = statements
  const byUser = prepare(accounts, () => ({ where: isKey(isExactly, { userId: accounts.userId }) }))
  return { getAccounts: (userId: string) => byUser({ userId }) }
}
