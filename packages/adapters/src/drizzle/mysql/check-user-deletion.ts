import type { DeletionMethods } from '../../methods.ts'
import { rehearse } from '../rehearse.ts'
import type { Access } from './connection.ts'
import { deleteWithRows } from './users.ts'

/** The method that tries to delete a user. */
export function deletionMethods({ tables, isExactly, retryIdempotent, transaction }: Access): DeletionMethods {
  return {
    checkUserDeletion: (id) =>
      retryIdempotent(() => rehearse(transaction, (db) => deleteWithRows({ db, tables, isExactly }, id)))
  }
}
