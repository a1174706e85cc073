import type { Adapter } from '@postern/core'
import { type Groups, groups, posternMethods } from '../postern-tables/postern-methods.ts'

/** The methods of a test runner that the suite uses; tap's `t` has them. */
export interface ContractTest {
  test(name: string, run: (t: ContractTest) => Promise<void>): unknown
  equal(found: unknown, expected: unknown, message: string): unknown
  same(found: unknown, expected: unknown, message: string): unknown
  ok(value: unknown, message: string): unknown
  comment(message: string): unknown
}

/** The methods of next-auth v4 and Auth.js adapters. */
export const requiredMethods = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'deleteUser',
  'linkAccount',
  'unlinkAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
  'createVerificationToken',
  'useVerificationToken'
] as const satisfies readonly (keyof Adapter)[]

const optionalMethods = [
  'createUserWithAccount',
  'updateAccount',
  'getAccounts',
  'getVerificationToken',
  'listSessions',
  'listUsers',
  'deleteSessions',
  'transact',
  ...posternMethods,
  'listEncryptedRows',
  'replaceEncryptedTexts',
  'deleteExpired',
  'findUserVersion',
  'requireUserVersion',
  'requireAddress'
] as const satisfies readonly (keyof Adapter)[]

/** A method that an adapter may omit. */
export type OptionalMethod = (typeof optionalMethods)[number]

type With<K extends keyof Adapter> = Adapter & Required<Pick<Adapter, K>>

/** An adapter with the fourteen methods. */
export type Complete = With<(typeof requiredMethods)[number]>

/** The properties of the store, as set by the author of the adapter. */
export interface Settings {
  /** The number of concurrent callers in a race. */
  readonly callers: number
  /** Whether a string may contain NUL; a store that cannot keep it must reject it. */
  readonly nul: 'kept' | 'refused'
  /** Whether a user keeps the given id. */
  readonly ids: 'given' | 'own'
  /** The maximum length of a key in characters; a store must reject longer ones. */
  readonly keyLength: number
  /** What deletes expired rows: `deleteExpired`, or the store itself. */
  readonly expired: 'deleted' | 'by the store'
  /** Whether lists of sessions apply a limit; a store may ignore it. */
  readonly limit: 'applied' | 'ignored'
}

type Run<A> = (t: ContractTest, adapter: A, settings: Settings) => Promise<void>

/** One behavior, tested with its own data. */
export interface Case {
  readonly name: string
  /** The optional methods that it needs. */
  readonly needs: readonly OptionalMethod[]
  readonly run: Run<Complete>
}

/** A behavior of the fourteen methods. */
export function it(name: string, run: Run<Complete>): Case {
  return { name, needs: [], run }
}

/** Creates behaviors of an optional method that use others of a group; skipped if the adapter lacks one of them. */
export function optional<Name extends keyof Groups = never>(name?: Name) {
  const group: readonly Groups[Name][number][] = name ? groups[name] : []
  return <K extends OptionalMethod>(
    method: K,
    title: string,
    run: Run<Complete & With<Groups[Name][number] | K>>
  ): Case => {
    const needs = [method, ...group]
    return {
      name: `${method}: ${title}`,
      needs,
      run: async (t, adapter, settings) => {
        if (has(adapter, ...needs)) await run(t, adapter, settings)
      }
    }
  }
}

/** A behavior of an optional method; skipped if the adapter lacks it. */
export const itsOptional = optional()

/** The required methods that the adapter lacks. */
export function getMissing(adapter: Adapter): readonly (keyof Adapter)[] {
  return requiredMethods.filter((name) => !adapter[name])
}

/** The optional methods that the adapter lacks. */
export function getMissingMethods(adapter: Adapter): readonly OptionalMethod[] {
  return optionalMethods.filter((name) => !adapter[name])
}

/** Whether none of the required methods is missing. */
export function isComplete(adapter: Adapter): adapter is Complete {
  return getMissing(adapter).length === 0
}

/** Whether the adapter has these methods; a type guard for use inside a case. */
export function has<A extends Adapter, K extends OptionalMethod>(
  adapter: A,
  ...names: readonly K[]
): adapter is A & With<K> {
  return names.every((name) => adapter[name] !== undefined)
}
