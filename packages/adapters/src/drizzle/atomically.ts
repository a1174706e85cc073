import type { Adapter, AdapterCall, VerificationToken } from '@postern/core'
import { type CallMethods, performAll } from '../calls.ts'
import type { Attempts } from './retry.ts'
import type { Transaction } from './transaction.ts'

/** The ways of asking that calls have while they are in one transaction: it is tried again as a whole, or not at all. */
export const onlyOnce: Attempts = {
  safe: async (work) => work(),
  once: async (work) => work()
}

/** What the method needs of a database. */
export interface Atomic<Db> {
  readonly once: Attempts['once']
  readonly transaction: Transaction<Db>
  /** The methods, on the connection of a transaction. */
  readonly methodsOn: (db: Db) => CallMethods
  /** The methods that tell what has become of a transaction. */
  readonly lookUps: Required<
    Pick<Adapter, 'getUser' | 'getUserByAccount' | 'getSessionAndUser' | 'getVerificationToken'>
  >
}

/** Makes the method that makes many calls in one transaction. */
export function createAtomically<Db>({ once, transaction, methodsOn, lookUps }: Atomic<Db>) {
  return (calls: readonly AdapterCall[]): Promise<boolean> => {
    let unsure: { readonly error: unknown } | null = null
    const attempt = async (): Promise<boolean> => {
      let isEnding = false
      try {
        await transaction(
          async (db) => {
            if (!(await performAll(methodsOn(db), calls))) throw new NothingDone()
          },
          () => {
            isEnding = true
          }
        )
        return true
      } catch (error) {
        // A server may still be ending a transaction after its connection was lost, and after we looked.
        if (error instanceof NothingDone)
          return unsure !== null && (await lookUp(lookUps, calls, unsure.error)) === true
        if (isEnding) unsure ??= { error }
        throw error
      }
    }
    return once(attempt, async (error) => (unsure ? lookUp(lookUps, calls, error) : null))
  }
}

/** Thrown in a transaction that is to be taken back although nothing has failed. */
class NothingDone extends Error {
  override readonly name = 'NothingDone'
}

/** @returns `true` where the calls took effect, `null` where they did not or may as well be made again. */
async function lookUp(lookUps: Atomic<never>['lookUps'], calls: readonly AdapterCall[], error: unknown) {
  const trace = calls.map((call) => traceOf(lookUps, call)).find((find) => find !== null)
  if (trace) return (await trace()) ? true : null
  for (const pair of tokensOf(calls)) {
    // A token that is still there was not taken; one that is gone was taken by nobody knows whom.
    if (!(await lookUps.getVerificationToken(pair))) throw error
  }
  return null
}

/** What only this call can have written: it is there if the transaction took effect. */
function traceOf(lookUps: Atomic<never>['lookUps'], call: AdapterCall): (() => Promise<boolean>) | null {
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
    default:
      return null
  }
}

function tokensOf(calls: readonly AdapterCall[]): readonly Pick<VerificationToken, 'identifier' | 'token'>[] {
  return calls.flatMap((call) => (call.method === 'useVerificationToken' ? [call.args[0]] : []))
}
