import type { AdapterCall } from '../adapter/adapter.ts'
import { type Store, StoreError, type TransactionOutcome } from '../adapter/store.ts'
import { createTransaction, type Transaction } from '../adapter/transaction.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Emit, EventPayloads } from '../hooks/events.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { Runtime } from '../model/runtime.ts'
import { createUserErrors } from './create-user-errors.ts'

/** The writes and events of a sign-in. */
export interface SignInTransaction {
  readonly store: Store | null
  readonly emit: Emit
  /** Whether writes are recorded and not yet committed. */
  readonly isPending: () => boolean
  /** Whether all writes are one transaction. */
  readonly isTransaction: boolean
  /**
   * Commits the recorded writes, and then emits their events. Later writes and events take effect immediately.
   *
   * @throws TransactionAbortedError if nothing was written.
   * @throws StoreError if the outcome is unknown.
   */
  readonly commit: () => Promise<void>
}

/** Runs without a store, or with a store that makes one write after another. */
export function withoutTransaction(store: Store | null, emit: Emit): SignInTransaction {
  return { store, emit, isPending: () => false, isTransaction: false, commit: async () => undefined }
}

/** The writes of a transaction, in a form that two attempts can be compared by. */
interface Plan {
  readonly methods: readonly AdapterCall['method'][]
  /** Equal for two attempts with the same writes. */
  readonly signature: string
}

/** The transaction was rolled back: a concurrent request may have won. */
export class TransactionAbortedError extends Error {
  override readonly name: string = 'TransactionAbortedError'
  readonly plan: Plan
  /** A `StoreError` if the store does not accept the writes. */
  readonly reason: AuthError
  /** Whether another attempt would fail in the same way. */
  readonly isFinal: boolean

  constructor(plan: Plan, reason: AuthError, isFinal: boolean) {
    super('the transaction of a sign-in was rolled back', { cause: reason })
    this.plan = plan
    this.reason = reason
    this.isFinal = isFinal
  }
}

/** Converts the error of a store that responds but does not create the new user, with next-auth v4's codes. */
export function toAuthError({ plan, reason }: TransactionAbortedError, policy: AccountPolicy): AuthError {
  if (!(reason instanceof StoreError) || reason.isOutage || !plan.methods.includes('createUser')) return reason
  return new AuthError(createUserErrors[policy], reason.message, { cause: reason })
}

function createPlan({ calls }: Transaction): Plan {
  const signature = calls
    .map((call) => (call.method === 'useVerificationToken' ? JSON.stringify(call.args) : call.method))
    .join(' ')
  return { methods: calls.map(({ method }) => method), signature }
}

/** @throws TransactionAbortedError or StoreError, like `SignInTransaction.commit`. */
function requireCommitted(outcome: TransactionOutcome, plan: Plan): void {
  switch (outcome.kind) {
    case 'committed':
      return
    case 'unknown':
      throw outcome.reason
    case 'aborted': {
      const used = 'the link or the code was used by a concurrent request'
      throw new TransactionAbortedError(plan, outcome.reason ?? new AuthError('Verification', used), false)
    }
  }
}

/**
 * Makes all writes of a sign-in in one transaction, if the store supports it.
 *
 * @param last - The previous attempt: a plan that has failed is not repeated.
 */
export function createSignInTransaction(
  store: Store | null,
  emit: Emit,
  { randomBytes }: Runtime,
  last: TransactionAbortedError | null
): SignInTransaction {
  const transaction = store && createTransaction(store, randomBytes)
  if (!store || !transaction) return withoutTransaction(store, emit)
  const pendingEvents: (() => Promise<void>)[] = []
  let isPending = true

  const writeAll = async (): Promise<void> => {
    const plan = createPlan(transaction)
    if (last?.plan.signature === plan.signature) throw new TransactionAbortedError(plan, last.reason, true)
    requireCommitted(await transaction.commit(), plan)
  }
  return {
    store: transaction.store,
    emit: async <E extends keyof EventPayloads>(event: E, payload: EventPayloads[E]) => {
      if (isPending) pendingEvents.push(() => emit(event, payload))
      else await emit(event, payload)
    },
    isPending: () => isPending,
    isTransaction: true,
    commit: async () => {
      if (!isPending) return
      await writeAll()
      isPending = false
      for (const emitNow of pendingEvents) await emitNow()
    }
  }
}
