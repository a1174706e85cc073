// Writes the migrations as files, for those who apply them by other means. Run it after `tsc -b`.
import { mkdirSync, writeFileSync } from 'node:fs'

const { migrations: mysql, mariadbMigrations: mariadb } = await import('../dist/drizzle/mysql/index.js')
const { migrations: postgres } = await import('../dist/drizzle/postgres/index.js')
const { migrations: sqlite } = await import('../dist/drizzle/sqlite/index.js')

for (const [dialect, migrations] of Object.entries({ mariadb, mysql, postgres, sqlite })) {
  const folder = new URL(`../migrations/${dialect}/`, import.meta.url)
  mkdirSync(folder, { recursive: true })
  for (const { name, sql } of migrations) writeFileSync(new URL(`${name}.sql`, folder), sql)
}
