import type { Adapter } from '@postern/core'

/** What the suite asks of a test runner; tap's `t` fits. */
export interface ContractTest {
  test(name: string, run: (t: ContractTest) => Promise<void>): unknown
  equal(found: unknown, wanted: unknown, message: string): unknown
  same(found: unknown, wanted: unknown, message: string): unknown
  ok(value: unknown, message: string): unknown
  comment(message: string): unknown
}

/** The methods that next-auth v4 and Auth.js know, by which an adapter of theirs is known. */
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
  'deleteSessions',
  'withLease',
  'atomically',
  'putSessionRecord',
  'getSessionRecords',
  'deleteSessionRecord',
  'revoke',
  'getRevocations',
  'listRevocations',
  'deleteExpired'
] as const satisfies readonly (keyof Adapter)[]

/** A method that an adapter may lack. */
export type OptionalMethod = (typeof optionalMethods)[number]

type With<K extends keyof Adapter> = Adapter & Required<Pick<Adapter, K>>

/** An adapter that has the fourteen methods. */
export type Complete = With<(typeof requiredMethods)[number]>

/** What an adapter's author may say about the store. */
export interface Settings {
  /** How many callers a race has. */
  readonly callers: number
  /** Whether a text may hold the character NUL; a store that cannot keep it must refuse it. */
  readonly nul: 'kept' | 'refused'
  /** Whether a user keeps the id that was asked for. */
  readonly ids: 'given' | 'own'
  /** How many characters a key may have; a store must refuse a longer one. */
  readonly keyLength: number
  /** Who takes away what has ended: `deleteExpired`, or the store by itself. */
  readonly expired: 'deleted' | 'by the store'
}

type Run<A> = (t: ContractTest, adapter: A, settings: Settings) => Promise<void>

/** One behaviour, on data of its own. */
export interface Case {
  readonly name: string
  /** The optional method that it is about. */
  readonly needs: OptionalMethod | null
  readonly run: Run<Complete>
}

/** A behaviour of the fourteen methods. */
export function it(name: string, run: Run<Complete>): Case {
  return { name, needs: null, run }
}

/** A behaviour of an optional method; left out where the adapter lacks it. */
export function itsOptional<K extends OptionalMethod>(needs: K, name: string, run: Run<Complete & With<K>>): Case {
  return {
    name: `${needs}: ${name}`,
    needs,
    run: async (t, adapter, settings) => {
      if (has(adapter, needs)) await run(t, adapter, settings)
    }
  }
}

/** The required methods that the adapter lacks. */
export function missingOf(adapter: Adapter): readonly (keyof Adapter)[] {
  return requiredMethods.filter((name) => !adapter[name])
}

/** The optional methods that the adapter lacks. */
export function lackingOf(adapter: Adapter): readonly OptionalMethod[] {
  return optionalMethods.filter((name) => !adapter[name])
}

/** Whether none of the required methods is missing. */
export function isComplete(adapter: Adapter): adapter is Complete {
  return missingOf(adapter).length === 0
}

/** Whether the adapter has this method; usable inside a case as a type guard. */
export function has<A extends Adapter, K extends OptionalMethod>(adapter: A, name: K): adapter is A & With<K> {
  return adapter[name] !== undefined
}
