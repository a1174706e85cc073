import type { Logger } from '../model/logger.ts'
import type { Adapter } from './adapter.ts'
import { type Calls, callsTo, type StoreSettings } from './invoke.ts'
import {
  isFlag,
  isList,
  isNumber,
  isRecords,
  isRevocations,
  isSessionAndUser,
  isSessions,
  isToken,
  isUser,
  userVersionIn
} from './validators.ts'
import type { RevocationStore } from './revocation.ts'
import { type Revocations, type Store, StoreError } from './store.ts'

type Method = (...args: never[]) => unknown

/** A failure of the work is the work's own; one of the lease is the store's. */
async function leased<T>(adapter: Adapter, name: string, work: () => Promise<T>): Promise<T> {
  let failure: { readonly cause: unknown } | null = null
  const noted = (): Promise<T> =>
    work().catch((cause: unknown) => {
      failure = { cause }
      throw cause
    })
  try {
    if (!adapter.withLease) throw new TypeError('the adapter does not have this method')
    return await adapter.withLease(name, noted)
  } catch (error) {
    throw failure ? error : new StoreError('withLease', 'the store did not answer', error)
  }
}

function revocationsOf({ one }: Calls<keyof RevocationStore>): Revocations {
  return {
    revoke: one('revoke', isNumber),
    getRevocations: one('getRevocations', isRevocations),
    listRevocations: one('listRevocations', isRevocations)
  }
}

/** The same for a store of revocations that is no adapter. */
export function toRevocations(store: RevocationStore, logger: Logger, settings: StoreSettings): Revocations {
  return revocationsOf(callsTo<keyof RevocationStore>(store, logger, settings))
}

/** Makes of an adapter a store that never answers "not there" for "I could not look". */
export function toStore(adapter: Adapter, logger: Logger, settings: StoreSettings): Store {
  const calls = callsTo<keyof Adapter>(adapter, logger, settings)
  const { any, done, one, maybe } = calls
  const where = <F extends Method>(name: keyof Adapter, method: F): F | null => (adapter[name] ? method : null)
  const hasRevocations = adapter.revoke && adapter.getRevocations && adapter.listRevocations
  return {
    createUser: one('createUser', isUser),
    getUser: maybe('getUser', isUser),
    getUserByEmail: maybe('getUserByEmail', isUser),
    getUserByAccount: maybe('getUserByAccount', isUser),
    updateUser: one('updateUser', isUser),
    linkAccount: done('linkAccount'),
    createSession: done('createSession'),
    getSessionAndUser: maybe('getSessionAndUser', isSessionAndUser),
    updateSession: done('updateSession'),
    deleteSession: any('deleteSession'),
    createVerificationToken: done('createVerificationToken'),
    useVerificationToken: maybe('useVerificationToken', isToken),
    deleteUser: where('deleteUser', done('deleteUser')),
    unlinkAccount: where('unlinkAccount', done('unlinkAccount')),
    createUserWithAccount: where('createUserWithAccount', one('createUserWithAccount', isUser)),
    updateAccount: where('updateAccount', async (...args) => (await any('updateAccount')(...args)) !== false),
    getAccounts: where('getAccounts', one('getAccounts', isList)),
    getVerificationToken: where('getVerificationToken', maybe('getVerificationToken', isToken)),
    listSessions: where('listSessions', one('listSessions', isSessions)),
    deleteSessions: where('deleteSessions', done('deleteSessions')),
    withLease: adapter.withLease ? (name, work) => leased(adapter, name, work) : null,
    atomically: where('atomically', one('atomically', isFlag)),
    putSessionRecord: where('putSessionRecord', async (record) => userVersionIn(await any('putSessionRecord')(record))),
    getSessionRecords: where('getSessionRecords', one('getSessionRecords', isRecords)),
    deleteSessionRecord: where('deleteSessionRecord', done('deleteSessionRecord')),
    deleteExpired: where('deleteExpired', one('deleteExpired', isNumber)),
    revocations: hasRevocations ? revocationsOf(calls) : null
  }
}
