import { sql } from 'drizzle-orm'
import type { DeletionMethods } from '../../methods.ts'
import { rehearse } from '../rehearse.ts'
import type { Access } from './connection.ts'
import { deleteWithRows } from './users.ts'

/** The method that tries to delete a user. */
export function deletionMethods({ tables, retryIdempotent, transaction }: Access): DeletionMethods {
  return {
    checkUserDeletion: (id) =>
      retryIdempotent(() =>
        rehearse(transaction, async (db) => {
          await deleteWithRows({ db, tables }, id)
          // The application's constraints may be checked at the commit.
          await db.execute(sql`set constraints all immediate`)
        })
      )
  }
}
