import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import * as mysql from '../src/drizzle/mysql/index.ts'
import * as postgres from '../src/drizzle/postgres/index.ts'
import * as sqlite from '../src/drizzle/sqlite/index.ts'

const folders = {
  mariadb: mysql.mariadbMigrations,
  mysql: mysql.migrations,
  postgres: postgres.migrations,
  sqlite: sqlite.migrations
}

for (const [dialect, migrations] of Object.entries(folders)) {
  t.test(`the files for ${dialect} are the migrations; "pnpm sql" writes them`, async (t) => {
    const folder = new URL(`../../migrations/${dialect}/`, import.meta.url)
    t.strictSame(
      readdirSync(folder),
      migrations.map(({ name }) => `${name}.sql`)
    )
    for (const { version, name, sql } of migrations) {
      t.equal(readFileSync(new URL(`${name}.sql`, folder), 'utf8'), sql)
      t.equal(Number(name.slice(0, 4)), version)
    }
  })
}
