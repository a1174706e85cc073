import type { Adapter, AdapterCall, UserAdvance, UserVersion } from '@postern/core'
import { type CallMethods, performAll } from '../calls.ts'
import { isSameFactor, isSameRecord, isSameTicket, resolveFactorUpdate } from '../rows.ts'
import type { QueryRunner } from './retry.ts'
import type { Transaction } from './transaction.ts'

/** Runs calls inside a transaction without retries: only the whole transaction is retried. */
export const withoutRetries: QueryRunner = {
  retryIdempotent: async (work) => work(),
  runOnce: async (work) => work()
}

/** The methods that look up the outcome of a transaction. */
type LookUps = Required<
  Pick<
    Adapter,
    | 'getUser'
    | 'getUserByAccount'
    | 'getSessionAndUser'
    | 'getVerificationToken'
    | 'readTicket'
    | 'getFactor'
    | 'getUserVersion'
    | 'getSessionRecords'
  >
> & { readonly hasEvent: (id: string) => Promise<boolean> }

/**
 * Creates the method that makes several calls in one transaction.
 *
 * @param methodsOn - The methods on the connection of a transaction.
 */
export function createTransact<Db>(
  { runOnce, transaction }: { readonly runOnce: QueryRunner['runOnce']; readonly transaction: Transaction<Db> },
  methodsOn: (db: Db) => CallMethods,
  lookUps: LookUps
) {
  return (calls: readonly AdapterCall[]): Promise<boolean> => {
    let unsure: { readonly error: unknown } | null = null
    const attempt = async (): Promise<boolean> => {
      let isEnding = false
      try {
        await transaction(
          async (db) => {
            if (!(await performAll(methodsOn(db), calls))) throw new Rollback()
          },
          () => {
            isEnding = true
          }
        )
        return true
      } catch (error) {
        // After a lost connection, a server may still commit the transaction after its outcome was looked up.
        if (error instanceof Rollback) return unsure !== null && (await lookUp(lookUps, calls, unsure.error)) === true
        if (isEnding) unsure ??= { error }
        throw error
      }
    }
    return runOnce(attempt, async (error) => (unsure ? lookUp(lookUps, calls, error) : null))
  }
}

/** Thrown to roll back a transaction without an error. */
class Rollback extends Error {
  override readonly name = 'NothingDone'
}

/** @returns `true` if the calls took effect, `null` if they had no effect or can safely be repeated. */
async function lookUp(lookUps: LookUps, calls: readonly AdapterCall[], error: unknown) {
  const advance = calls.find((call) => call.method === 'advanceUser')
  if (advance) return resolveAdvance(await lookUps.getUserVersion(advance.args[0].userId), advance.args[0], error)
  const trace = calls.map((call) => getTrace(lookUps, call)).find((find) => find !== null)
  if (trace) return (await trace()) ? true : null
  const update = calls.find((call) => call.method === 'updateFactor')
  if (update) return resolveFactorUpdate(await lookUps.getFactor(update.args[0]), update.args, error) || null
  for (const call of calls) {
    // If a token or ticket still exists, it was not consumed. If it no longer exists, it is unknown which caller consumed it.
    if (await isGone(lookUps, call)) throw error
  }
  return null
}

/**
 * What became of a change of a user's row: its id is the last one if it was made. It was not if the version is still the expected
 * one, or lower than any that the change writes.
 *
 * @throws The error, if another change followed: nothing shows whether this one was made.
 */
function resolveAdvance(
  row: UserVersion | null | undefined,
  { changeId, expected, version }: UserAdvance,
  error: unknown
): true | null {
  if (row?.changeId === changeId) return true
  const stored = row?.version ?? 0
  if (expected === null ? stored < version : stored === expected) return null
  throw error
}

/** Looks for a row that only this call can have written: it exists if the transaction took effect. */
function getTrace(lookUps: LookUps, call: AdapterCall): (() => Promise<boolean>) | null {
  switch (call.method) {
    case 'createSession': {
      const [{ sessionToken, userId }] = call.args
      return async () => (await lookUps.getSessionAndUser(sessionToken))?.session.userId === userId
    }
    case 'createUser': {
      const [{ id }] = call.args
      return id === undefined ? null : async () => Boolean(await lookUps.getUser(id))
    }
    case 'linkAccount': {
      const [{ userId, provider, providerAccountId }] = call.args
      return async () => (await lookUps.getUserByAccount({ provider, providerAccountId }))?.id === userId
    }
    case 'createTicket':
    case 'putTicket': {
      const [ticket] = call.args
      return ticket.data === '' ? null : async () => isSameTicket(await lookUps.readTicket(ticket), ticket)
    }
    case 'putSessionRecord': {
      const [record] = call.args
      return async () => isSameRecord((await lookUps.getSessionRecords({ id: record.id }))[0], record)
    }
    case 'createFactor': {
      const [factor] = call.args
      return factor.data === '' ? null : async () => isSameFactor(await lookUps.getFactor(factor), factor)
    }
    case 'addEvents': {
      const id = call.args[0][0]?.id
      return id === undefined ? null : () => lookUps.hasEvent(id)
    }
    default:
      return null
  }
}

/** Returns whether the call consumes a one-time token, a ticket or a factor that no longer exists. */
async function isGone(lookUps: LookUps, call: AdapterCall): Promise<boolean> {
  switch (call.method) {
    case 'useVerificationToken':
      return !(await lookUps.getVerificationToken(call.args[0]))
    case 'consumeTicket':
      return !(await lookUps.readTicket(call.args[0]))
    case 'deleteFactor':
      return call.isRequired === true && !(await lookUps.getFactor(call.args[0]))
    default:
      return false
  }
}
