import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ForeignProvider } from '@postern/core'

const require = createRequire(import.meta.url)

/** What one provider of another library asks for, as that library sent it. */
export interface Recorded {
  readonly module: string
  readonly id: string
  /** The options that the provider needs in addition to clientId and clientSecret. */
  readonly options: readonly string[]
  /** Where the visitor is sent: an address, or the one that discovery names. */
  readonly endpoint?: string
  readonly params?: Readonly<Record<string, string>>
  /** Why the library itself sends no one anywhere. */
  readonly error?: string
}

interface Fixture {
  readonly requests: readonly Recorded[]
}

const fixture = new URL('../../../test/fixtures/authorization-requests.json', import.meta.url)

export const recorded: readonly Recorded[] = (JSON.parse(readFileSync(fixture, 'utf8')) as Fixture).requests

const values: Readonly<Record<string, string>> = {
  clientId: 'client-id',
  clientSecret: 'client-secret',
  issuer: 'https://issuer.test/',
  tenantId: 'tenant',
  primaryUserFlow: 'flow',
  accountID: 'accountid',
  version: '2.0'
}

/** Some add a path to the issuer with a slash, most without. */
const getIssuer = (id: string): string => (id === 'osso' ? 'https://issuer.test/' : 'https://issuer.test')

export function getOptions({ id, options }: Recorded): Record<string, string> {
  const needed = ['clientId', 'clientSecret', ...options]
  const given = Object.fromEntries(needed.map((name) => [name, values[name] ?? '']))
  return options.includes('issuer') ? { ...given, issuer: getIssuer(id) } : given
}

/** @returns The text with the values of the options in the place of their names. */
export function filled(text: string, { id }: Recorded): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'issuer' ? getIssuer(id) : (values[name] ?? '')))
}

function isFactory(value: unknown): value is (options: object) => ForeignProvider {
  return typeof value === 'function'
}

/** Makes the provider object of the library, as installed from the registry. */
export async function load(record: Recorded): Promise<ForeignProvider> {
  const { module } = record
  const loaded: { default: unknown } = module.startsWith('next-auth/') ? require(module) : await import(module)
  if (!isFactory(loaded.default)) throw new TypeError(`${module}: expected a function`)
  return loaded.default(getOptions(record))
}

/** Files in the folder that are not providers. */
const others = ['index.js', 'oauth.js', 'oauth-types.js', 'provider-types.js']

/** @returns The specifier of every provider module that the library ships. */
export function getModules(library: 'next-auth' | '@auth/core'): readonly string[] {
  const folder = dirname(require.resolve(`${library}/providers/github`))
  const files = readdirSync(folder).filter((file) => file.endsWith('.js') && !others.includes(file))
  return files.map((file) => `${library}/providers/${file.slice(0, -join('.js').length)}`)
}
