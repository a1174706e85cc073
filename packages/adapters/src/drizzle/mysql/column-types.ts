import type { Column } from 'drizzle-orm'

/** The type of key columns: strings are equal only if their bytes are, including trailing spaces. */
export const keys = {
  mysql: 'varchar(255) character set utf8mb4 collate utf8mb4_0900_bin',
  mariadb: 'varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin'
} as const

/** The servers, which name such types differently. */
export type Server = keyof typeof keys

/** @returns The function that returns the type of a column. @param id - The type of user ids, which columns that refer to them have. */
export function toColumnType(server: Server, id: string): (column: Column, isReference: boolean) => string {
  return (column, isReference) => {
    if (isReference) return id
    const type = column.getSQLType()
    const [, length] = /^varchar\((\d+)\)$/.exec(type) ?? []
    if (length !== undefined) return keys[server].replace('255', length)
    return type === 'text' ? 'text character set utf8mb4' : type
  }
}

/** The options at the end of a table definition. */
export const options = 'engine = InnoDB default character set utf8mb4'
