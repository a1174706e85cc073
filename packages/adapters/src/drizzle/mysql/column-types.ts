/** The type of key columns: strings are equal only if their bytes are, including trailing spaces. */
export const keys = {
  mysql: 'varchar(255) character set utf8mb4 collate utf8mb4_0900_bin',
  mariadb: 'varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin'
} as const

/** The same type with another length in characters. */
export const sized = (key: string, length: number): string => key.replace('255', `${length}`)

/** The servers, which name such types differently. */
export type Server = keyof typeof keys

/** The type of other text columns. */
export const text = 'text character set utf8mb4'

/** The options at the end of a table definition. */
export const options = 'engine = InnoDB default character set utf8mb4'
