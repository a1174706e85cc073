import type { EncryptedRow, EncryptedTable } from './encrypted-row.ts'
import { getEncryptedToken, isEncryptedFactor, markToken, type TableCiphers } from './encrypted-store.ts'
import type { EncryptedRowStore } from './store.ts'

/** How the data of the store is encrypted. */
export interface DataEncryption {
  readonly ciphers: TableCiphers
  /** Whether it has secrets of its own. */
  readonly isSeparate: boolean
}

/** The rows of the store, and how they are encrypted. */
export interface RowEncryption {
  readonly rows: EncryptedRowStore
  readonly ciphers: TableCiphers
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The result of a pass over the store. */
export interface ReencryptResult {
  /** The rows that were encrypted again. */
  readonly reencrypted: number
  /** The rows that still need another key than the first one. Until it is 0, no secret may be removed. */
  readonly left: number
  /** The rows of `left` whose key is not listed, or whose text was modified. */
  readonly unreadable: number
}

export interface ReencryptOptions {
  /** Counts what is left, and writes nothing. @defaultValue `false` */
  readonly dryRun?: boolean | undefined
  /** Interrupts the work after the row that is being written. */
  readonly signal?: AbortSignal | undefined
}

const tables: readonly EncryptedTable[] = ['factor', 'ticket', 'account']

/** Rows of a page: the texts of an account may have 12 kB. */
const pageSize = 100

/** @returns The encrypted part of a text; `null` if the text is not encrypted. */
function getEncrypted(table: EncryptedTable, group: string, text: string): string | null {
  if (table === 'account') return getEncryptedToken(text)
  return table === 'ticket' || isEncryptedFactor(group, text) ? text : null
}

/** The encrypted texts of a row, by column. */
function listEncrypted(table: EncryptedTable, { group, texts }: EncryptedRow): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([column, text]) => {
    const encrypted = text === null ? null : getEncrypted(table, group, text)
    return encrypted === null ? [] : [[column, encrypted] as const]
  })
}

/** Reads a table in pages. */
async function* readPages(
  table: EncryptedTable,
  { rows, now }: RowEncryption
): AsyncGenerator<readonly EncryptedRow[], void, undefined> {
  let after: EncryptedRow | null = null
  for (;;) {
    const page: readonly EncryptedRow[] = await rows.list({
      table,
      after: after && { group: after.group, id: after.id },
      limit: pageSize,
      now: new Date(now())
    })
    yield page
    after = page.at(-1) ?? null
    // A store may return fewer rows than there are.
    if (after === null) return
  }
}

type Outcome = 'current' | 'left' | 'unreadable' | 'reencrypted'

/** Encrypts the texts of a row with the first key, if one of them needs another key. */
async function reencryptRow(
  table: EncryptedTable,
  row: EncryptedRow,
  { rows, ciphers }: RowEncryption,
  isDryRun: boolean
): Promise<Outcome> {
  const cipher = ciphers[table]
  const changed: Record<string, string> = {}
  let isUnreadable = false
  for (const [column, encrypted] of listEncrypted(table, row)) {
    if ((await cipher.findKey(encrypted)) === 'first') continue
    const text = await cipher.decrypt(encrypted)
    if (text === null) isUnreadable = true
    else changed[column] = toStoredText(table, await cipher.encrypt(text))
  }
  const isChanged = Object.keys(changed).length > 0
  const isReplaced = isChanged && !isDryRun && (await rows.replace(table, row, { ...row.texts, ...changed }))
  if (isUnreadable) return 'unreadable'
  if (isReplaced) return 'reencrypted'
  // If nothing was replaced, another writer came first: what it wrote is looked at in the next pass.
  return isChanged ? 'left' : 'current'
}

const toStoredText = (table: EncryptedTable, encrypted: string): string =>
  table === 'account' ? markToken(encrypted) : encrypted

async function runPass(
  encryption: RowEncryption,
  { dryRun = false, signal }: ReencryptOptions
): Promise<Readonly<Record<Outcome, number>>> {
  const counts: Record<Outcome, number> = { current: 0, left: 0, unreadable: 0, reencrypted: 0 }
  for (const table of tables) {
    for await (const page of readPages(table, encryption)) {
      for (const row of page) {
        signal?.throwIfAborted()
        counts[await reencryptRow(table, row, encryption, dryRun)] += 1
      }
    }
  }
  return counts
}

/** Passes over the store: other writers may come first each time. */
const maxPasses = 5

/**
 * Encrypts every row with the first key. Rows that have it are only read, so an interrupted run is continued by another one.
 *
 * @throws StoreError, and the reason of the signal
 */
export async function reencryptRows(encryption: RowEncryption, options: ReencryptOptions): Promise<ReencryptResult> {
  let reencrypted = 0
  for (let pass = 1; ; pass++) {
    const counts = await runPass(encryption, options)
    reencrypted += counts.reencrypted
    const { left, unreadable } = counts
    if (options.dryRun || left === 0 || pass === maxPasses) return { reencrypted, left: left + unreadable, unreadable }
  }
}

/** The number of rows whose key is missing, by table. */
export type MissingKeys = Readonly<Record<EncryptedTable, number>>

/**
 * Counts the rows whose key is not listed, among the first of each table.
 *
 * @param max - How many rows of each table are read.
 */
export async function countMissingKeys(encryption: RowEncryption, max: number): Promise<MissingKeys> {
  const counts: Record<EncryptedTable, number> = { account: 0, factor: 0, ticket: 0 }
  for (const table of tables) {
    let read = 0
    for await (const page of readPages(table, encryption)) {
      for (const row of page) {
        const texts = listEncrypted(table, row)
        const keys = await Promise.all(texts.map(([, encrypted]) => encryption.ciphers[table].findKey(encrypted)))
        if (keys.includes('missing')) counts[table] += 1
      }
      read += page.length
      if (read >= max) break
    }
  }
  return counts
}
