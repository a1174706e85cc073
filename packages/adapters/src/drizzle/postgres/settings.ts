import type { Setting } from '../settings.ts'

const read = (name: string): string => `current_setting('${name}')`

const hint = (name: string, value: string): string =>
  `run "alter role … set ${name} = '${value}'", or set it on each new connection`

/** The settings of PostgreSQL that the adapter relies on. PgBouncer keeps each for its client, whatever its mode. */
export const settings: readonly Setting[] = [
  {
    // The text of a date names its day and month in the order of the style.
    name: 'DateStyle',
    read: read('DateStyle'),
    value: `'ISO'`,
    accepts: (value) => value.toUpperCase().startsWith('ISO'),
    expected: 'ISO',
    hint: hint('DateStyle', 'ISO')
  },
  {
    // Drivers send and read UTF-8, whatever the server takes it for.
    name: 'client_encoding',
    read: read('client_encoding'),
    value: `'UTF8'`,
    accepts: (value) => value.toUpperCase() === 'UTF8',
    expected: 'UTF8',
    hint: hint('client_encoding', 'UTF8')
  }
]

const wanted = settings.map(({ name, value }) => `('${name}', ${value})`).join(', ')

/** Sets what has another value on a new connection, with one statement. Some proxies no longer share a connection that sets something. */
export const setSettings = `select set_config(name, value, false) from (values ${wanted}) as wanted (name, value)
  where current_setting(name) not ilike value || '%'`
