import type { AdapterCall } from './adapter.ts'
import { type Store, StoreError, type TransactionOutcome } from './store.ts'

/** The store's methods that show whether a transaction was committed. */
type Rows = Pick<Store, 'createSession' | 'getSessionAndUser' | 'getUser' | 'tickets' | 'versions'>

/**
 * Makes the calls in one transaction, and determines its outcome. The calls are never repeated.
 *
 * @param transact - The adapter's method: it returns `false` if it had no effect, and throws if it failed.
 */
export async function runTransaction(
  calls: readonly AdapterCall[],
  transact: (calls: readonly AdapterCall[]) => Promise<boolean>,
  rows: Rows
): Promise<TransactionOutcome> {
  const [first, ...others] = calls
  if (!first) return { kind: 'committed' }
  try {
    // One insert is atomic without a transaction.
    if (others.length === 0 && first.method === 'createSession') await rows.createSession(...first.args)
    else if (!(await transact(calls))) return { kind: 'aborted', reason: null }
    return { kind: 'committed' }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const change = await findChange(calls, rows).catch(() => null)
    if (change === 'own' || (await isWritten(calls, rows).catch(() => false))) return { kind: 'committed' }
    return { kind: error.isLate || change === 'other' ? 'unknown' : 'aborted', reason: error }
  }
}

/**
 * What became of the change of a user's row: the `own` one is the last one, the row has `none` of it yet, or an `other` one
 * followed, so that nothing shows whether it was made.
 *
 * @returns `null` if the calls change no row.
 */
async function findChange(
  calls: readonly AdapterCall[],
  { versions }: Pick<Rows, 'versions'>
): Promise<'own' | 'none' | 'other' | null> {
  for (const { method, args } of calls) {
    if (method !== 'advanceUser' || !versions) continue
    const [{ userId, expected, version, changeId }] = args
    const row = await versions.get(userId)
    if (row.changeId === changeId) return 'own'
    const isUnchanged = expected === null ? row.version < version : row.version === expected
    return isUnchanged ? 'none' : 'other'
  }
  return null
}

/** Whether a row exists that only these calls can have created: then the whole transaction was committed. */
async function isWritten(calls: readonly AdapterCall[], rows: Rows): Promise<boolean> {
  for (const { method, args } of calls) {
    if (method === 'createSession') return (await rows.getSessionAndUser(args[0].sessionToken)) !== null
    if (method === 'createUser' && args[0].id) return (await rows.getUser(args[0].id)) !== null
    if (method === 'createTicket') {
      const [{ kind, id, data }] = args
      // The data is encrypted, or names the request.
      if (data !== '') return (await rows.tickets?.read({ kind, id }))?.data === data
    }
  }
  return false
}
