import type { Transaction } from './transaction.ts'

/** Runs statements in a transaction that is rolled back. @throws The error of a statement that the database refuses. */
export async function rehearse<Db>(transaction: Transaction<Db>, work: (db: Db) => Promise<unknown>): Promise<void> {
  const rollback = new Error('rolled back')
  try {
    await transaction(async (db) => {
      await work(db)
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
}
