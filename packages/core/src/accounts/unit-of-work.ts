import { type Store, StoreError } from '../adapter/store.ts'
import { type Transaction, transactionOf } from '../adapter/transaction.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { EventPayloads, Tell } from '../hooks/events.ts'
import type { AccountType } from '../model/account.ts'
import type { Runtime } from '../model/runtime.ts'

/** What a sign-in writes, and what it tells when that is written. */
export interface UnitOfWork {
  readonly store: Store | null
  readonly tell: Tell
  /** Whether writes are only noted yet. */
  readonly isPending: () => boolean
  /**
   * Writes what was noted, then tells it; what comes after is written, and told, at once.
   *
   * @throws UnfinishedError nothing was written.
   * @throws StoreError whether it was written is not known, and will not be.
   */
  readonly finish: () => Promise<void>
}

/** What works without a store, or with one that makes its writes one after another. */
export function stepByStep(store: Store | null, tell: Tell): UnitOfWork {
  return { store, tell, isPending: () => false, finish: async () => undefined }
}

/** A transaction was not made: somebody else may have been faster. */
export class UnfinishedError extends Error {
  override readonly name: string = 'UnfinishedError'
  /** What was to be written, in short. */
  readonly plan: string
  readonly reason: StoreError | AuthError
  /** Whether another try would be the same again. */
  readonly isFinal: boolean

  constructor(plan: string, reason: StoreError | AuthError, isFinal: boolean) {
    super('the transaction of a sign-in was not made', { cause: reason })
    this.plan = plan
    this.reason = reason
    this.isFinal = isFinal
  }
}

/** A store that answers, but does not take the new user: as next-auth v4 calls it. */
export function refusalOf({ plan, reason }: UnfinishedError, type: AccountType): AuthError {
  if (!(reason instanceof StoreError) || reason.isOutage || !plan.includes('createUser')) return reason
  const codes = { email: 'EmailCreateAccount', credentials: 'Callback' } as const
  const code = type === 'email' || type === 'credentials' ? codes[type] : 'OAuthCreateAccount'
  return new AuthError(code, reason.message, { cause: reason })
}

function planOf({ calls }: Transaction): string {
  return calls
    .map((call) => (call.method === 'useVerificationToken' ? JSON.stringify(call.args) : call.method))
    .join(' ')
}

/**
 * Everything that a sign-in writes as one transaction, where the store makes transactions.
 *
 * @param last - How it went the last time: a plan that has failed is not tried again.
 */
export function unitOfWork(
  store: Store | null,
  tell: Tell,
  { randomBytes }: Runtime,
  last: UnfinishedError | null
): UnitOfWork {
  const transaction = store && transactionOf(store, randomBytes)
  if (!store || !transaction) return stepByStep(store, tell)
  const told: (() => Promise<void>)[] = []
  let isPending = true

  const commit = async (): Promise<void> => {
    const plan = planOf(transaction)
    if (last?.plan === plan) throw new UnfinishedError(plan, last.reason, true)
    const isDone = await transaction.commit().catch((error: unknown) => {
      throw error instanceof StoreError && !error.isLate ? new UnfinishedError(plan, error, false) : error
    })
    if (isDone) return
    const reason = new AuthError('Verification', 'the link or the code was used in this very moment')
    throw new UnfinishedError(plan, reason, false)
  }
  return {
    store: transaction.store,
    tell: async <E extends keyof EventPayloads>(event: E, payload: EventPayloads[E]) => {
      if (isPending) told.push(() => tell(event, payload))
      else await tell(event, payload)
    },
    isPending: () => isPending,
    finish: async () => {
      if (!isPending) return
      await commit()
      isPending = false
      for (const tellNow of told) await tellNow()
    }
  }
}
