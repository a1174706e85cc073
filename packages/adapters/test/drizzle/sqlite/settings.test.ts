import Database from 'better-sqlite3'
import t from 'tap'
import { testAdapter } from '../../../src/contract/index.ts'
import { sqliteAdapter } from '../../../src/drizzle/sqlite/index.ts'
import { openOnce, suitesNamed } from '../../suites.ts'

/** Pragmas that do not matter, and the suites of the contract that could notice. */
const held: readonly [pragmas: readonly string[], suites: RegExp][] = [
  [
    ['reverse_unordered_selects = 1', 'case_sensitive_like = 1', 'automatic_index = 0'],
    /^(lists of users|factors|events|limits of sessions)$/
  ],
  [
    ['foreign_keys = 0', 'recursive_triggers = 1', 'trusted_schema = 0', 'legacy_alter_table = 1'],
    /^(sessions|session records|accounts|batches)$/
  ],
  [["encoding = 'UTF-16'", 'ignore_check_constraints = 1', 'read_uncommitted = 1'], /texts|^keys|^tickets$/],
  [['count_changes = 1', 'full_column_names = 1', 'short_column_names = 0'], /^(users|evidence of accounts|expiry)$/],
  [['cell_size_check = 1', 'defer_foreign_keys = 1', 'journal_mode = OFF', 'temp_store = 2'], /^(dates|races)$/]
]

for (const [pragmas, suites] of held) {
  t.test(`the contract holds with ${pragmas.join(', ')}`, async (t) => {
    const db = new Database(':memory:')
    t.teardown(() => db.close())
    for (const pragma of pragmas) db.pragma(pragma)
    const open = openOnce(t, () => sqliteAdapter({ db }))
    await testAdapter(suitesNamed(t, suites), open)
  })
}

t.test('the contract holds with BigInts', async (t) => {
  const db = new Database(':memory:').defaultSafeIntegers()
  t.teardown(() => db.close())
  const open = openOnce(t, () => sqliteAdapter({ db }))
  await testAdapter(suitesNamed(t, /^(dates|tickets|revocations|leases)$/), open)
})
