import type { Setting } from '../settings.ts'

const strictModes = ['STRICT_TRANS_TABLES', 'STRICT_ALL_TABLES']
/** The first changes how strings are escaped. The second, of MariaDB, stores an empty string as null. */
const refusedModes = ['NO_BACKSLASH_ESCAPES', 'EMPTY_STRING_IS_NULL']

const hint = (assignment: string): string => `run "set session ${assignment}" on each new connection of the pool`

const flag = (name: string, value: '0' | '1'): Setting => ({
  name,
  read: `@@${name} + 0`,
  value,
  accepts: (found) => found === value,
  expected: value,
  hint: hint(`${name} = ${value}`)
})

/** The settings of MySQL and MariaDB that the adapter relies on. */
export const settings: readonly Setting[] = [
  {
    // Without strict mode, the server truncates long values, and two users could get the same key.
    name: 'sql_mode',
    read: '@@sql_mode',
    value: `'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`,
    accepts: (value) => {
      const modes = value.split(',')
      return strictModes.some((mode) => modes.includes(mode)) && !refusedModes.some((mode) => modes.includes(mode))
    },
    expected: `one with STRICT_TRANS_TABLES and without ${refusedModes.join(' or ')}`,
    hint: hint(`sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`)
  },
  // Statements outside a transaction would never be committed.
  flag('autocommit', '1'),
  {
    // A commit would begin another transaction, which nothing commits, or close the connection.
    name: 'completion_type',
    read: '@@completion_type',
    value: `'NO_CHAIN'`,
    accepts: (value) => value === 'NO_CHAIN' || value === '0',
    expected: 'NO_CHAIN',
    hint: hint(`completion_type = 'NO_CHAIN'`)
  },
  // The server would refuse deletions by a condition without a key, such as those of expired rows.
  flag('sql_safe_updates', '0'),
  // The server would not detect a second row with the same address.
  flag('unique_checks', '1'),
  {
    // Lists would end early.
    name: 'sql_select_limit',
    read: '@@sql_select_limit',
    value: 'default',
    accepts: (value) => Number(value) >= 2 ** 32 - 1,
    expected: 'the default',
    hint: hint('sql_select_limit = default')
  },
  ...['character_set_client', 'character_set_connection', 'character_set_results'].map(
    (name): Setting => ({
      // Characters that the set lacks would be replaced, and two addresses could become equal.
      name,
      read: `@@${name}`,
      // The driver sets them when it connects.
      value: null,
      accepts: (value) => value === 'utf8mb4',
      expected: 'utf8mb4',
      hint: `create the pool with charset: 'utf8mb4'`
    })
  )
]

/** Whether the zone is that of UTC all year round. Its name says little: `SYSTEM` may be any zone. */
const isUtc = `from_unixtime(1768435200) = '2026-01-15 00:00:00' and from_unixtime(1784073600) = '2026-07-15 00:00:00'`

/** The zone of the text of `timestamp` columns; other columns do not depend on it. */
export const timeZone: Setting = {
  name: 'time_zone',
  read: `if(${isUtc}, '+00:00', @@time_zone)`,
  value: `'+00:00'`,
  accepts: (value) => value === '+00:00',
  expected: `'+00:00', which columns of type timestamp need`,
  hint: hint(`time_zone = '+00:00'`)
}

/** The assignments for connections that Postern opens. */
export const assignments: readonly string[] = [...settings, timeZone].flatMap(({ name, value }) =>
  value === null ? [] : [`${name} = ${value}`]
)
