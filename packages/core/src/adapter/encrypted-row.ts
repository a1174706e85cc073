/** A table with texts that Postern encrypts: `account`, `postern_factor` and `postern_ticket`. */
export type EncryptedTable = 'account' | 'factor' | 'ticket'

/** The key of such a row, as the table contains it. */
export interface EncryptedRowKey {
  /** The first member: the `provider` of an account, the `type` of a factor, the `kind` of a ticket. */
  readonly group: string
  /** The second member: the `providerAccountId` of an account, the `id` of a factor or a ticket. */
  readonly id: string
}

/** The texts of a row, by column: `access_token`, `refresh_token` and `id_token` of an account, `data` of any other row. */
export type EncryptedTexts = Readonly<Record<string, string | null>>

/** A row with texts that may be encrypted. */
export interface EncryptedRow extends EncryptedRowKey {
  readonly texts: EncryptedTexts
}

/** Selects a page of rows. */
export interface EncryptedRowQuery {
  readonly table: EncryptedTable
  /** The key of the last row of the previous page; `null` for the first page. The row may have been deleted since. */
  readonly after: EncryptedRowKey | null
  /** The maximum number of rows. */
  readonly limit: number
  /** Tickets that expire until then are left out. */
  readonly now: Date
}
