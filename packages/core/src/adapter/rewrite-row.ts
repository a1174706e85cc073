import type { EncryptedRow, EncryptedTable, EncryptedTexts } from './encrypted-row.ts'
import type { Store } from './store.ts'

/**
 * Replaces the texts of a row that was read with an earlier key, in the background. If another writer came first, or the
 * store fails, nothing is replaced: the row stays readable as long as its key is listed.
 */
export type RewriteRow = (table: EncryptedTable, row: EncryptedRow, encrypt: () => Promise<EncryptedTexts>) => void

/**
 * @param run - Starts work that no response waits for.
 * @returns `null` if the adapter cannot replace texts alone.
 */
export function createRewriteRow(
  { encryptedRows: rows }: Pick<Store, 'encryptedRows'>,
  run: (work: () => Promise<unknown>) => void
): RewriteRow | null {
  if (!rows) return null
  return (table, row, encrypt) =>
    run(async () => {
      const texts = await encrypt()
      // The invoker has logged the failure.
      await rows.replace(table, row, texts).catch(() => false)
    })
}
