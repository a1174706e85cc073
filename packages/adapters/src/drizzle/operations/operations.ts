import type { TableAccess } from '../table-access.ts'
import { accountEvidenceOperations, accountEvidenceQueries } from './account-evidence.ts'
import { accountQueries } from './accounts.ts'
import { eventOperations, eventQueries } from './events.ts'
import { factorOperations, factorQueries } from './factors.ts'
import { recordOperations, recordQueries } from './records.ts'
import { revocationQueries } from './revocations.ts'
import { sessionQueries } from './sessions.ts'
import { ticketOperations, ticketQueries } from './tickets.ts'
import { userVersionQueries } from './user-versions.ts'
import { userQueries } from './users.ts'
import { verificationTokenOperations, verificationTokenQueries } from './verification-tokens.ts'

/** The methods that read, which are the same in every dialect. */
export function createQueries(access: TableAccess) {
  return {
    ...userQueries(access),
    ...accountQueries(access),
    ...sessionQueries(access),
    ...recordQueries(access),
    ...verificationTokenQueries(access),
    ...accountEvidenceQueries(access),
    ...ticketQueries(access),
    ...factorQueries(access),
    ...eventQueries(access),
    ...revocationQueries(access),
    ...userVersionQueries(access)
  }
}

/** The methods that write with one statement, which are the same in every dialect. */
export function createOperations(access: TableAccess) {
  return {
    ...recordOperations(access),
    ...verificationTokenOperations(access),
    ...accountEvidenceOperations(access),
    ...ticketOperations(access),
    ...factorOperations(access),
    ...eventOperations(access)
  }
}
