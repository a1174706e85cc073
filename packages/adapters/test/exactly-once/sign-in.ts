import { randomUUID } from 'node:crypto'
import type { Adapter, AdapterCall, FactorKey, TicketKey, VerificationToken } from '@postern/core'

type Store = Required<Omit<Adapter, 'transact'>> & Pick<Adapter, 'transact'>

/** The results of concurrent calls that use one token. */
export interface Outcome {
  readonly signedIn: number
  readonly refused: number
  readonly failures: readonly string[]
}

/** Uses one token many times at the same moment. */
export async function signInMany(store: Store, token: VerificationToken, callers: number): Promise<Outcome> {
  const outcomes = await Promise.allSettled(Array.from({ length: callers }, () => signIn(store, token)))
  const reported = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason)))
  return {
    signedIn: reported.filter((one) => one === true).length,
    refused: reported.filter((one) => one === false).length,
    failures: reported.filter((one) => typeof one === 'string')
  }
}

/** A first sign-in by mail, as one batch where the store can do that. */
async function signIn(store: Store, { identifier, token }: VerificationToken): Promise<boolean> {
  const user = { id: randomUUID(), email: identifier, emailVerified: new Date() }
  const session = { sessionToken: randomUUID(), userId: user.id, expires: new Date(Date.now() + 3_600_000) }
  const calls: readonly AdapterCall[] = [
    { method: 'useVerificationToken', args: [{ identifier, token }] },
    { method: 'createUser', args: [user] },
    { method: 'createSession', args: [session] }
  ]
  if (store.transact) return store.transact(calls)
  const taken = await store.useVerificationToken({ identifier, token })
  if (!taken) return false
  await store.createUser(user)
  await store.createSession(session)
  return true
}

/** What concurrent callers received for one ticket. */
export interface TicketOutcome {
  readonly counts: readonly (number | null)[]
  readonly consumed: number
}

/** Counts an attempt on a ticket, and then consumes it, in many concurrent calls. */
export async function useTicket(store: Store, { kind, id }: TicketKey, callers: number): Promise<TicketOutcome> {
  const getCalls = <T>(call: () => T) => Promise.all(Array.from({ length: callers }, async () => call()))
  const counts = await getCalls(() => store.countTry({ kind: 'count', id }))
  const found = await getCalls(() => store.consumeTicket({ kind, id }))
  return { counts: counts.map((count) => count ?? null), consumed: found.filter((ticket) => ticket).length }
}

/** What many who update one factor expect. */
export interface FactorTask {
  readonly factor: FactorKey & { readonly userId: string }
  readonly version: number
}

/** Updates a factor in many concurrent calls that expect one version. @returns How many succeeded. */
export async function updateFactorMany(
  store: Store,
  { factor, version }: FactorTask,
  callers: number
): Promise<number> {
  const row = { ...factor, name: null, createdAt: new Date(), lastUsedAt: null, version }
  const updates = Array.from({ length: callers }, async () =>
    store.updateFactor({ ...row, data: randomUUID() }, version)
  )
  return (await Promise.all(updates)).filter((isWritten) => isWritten).length
}

/** What many who change one row of a user expect; without a version, none may fail. */
export interface AdvanceTask {
  readonly advance: { readonly userId: string; readonly expected: number | null; readonly version: number }
}

/** Changes the row of a user in many concurrent calls. @returns How many were made. */
export async function advanceMany(store: Store, { advance }: AdvanceTask, callers: number): Promise<number> {
  const until = new Date(4102444799999)
  const made = await Promise.all(
    Array.from({ length: callers }, async () =>
      store.advanceUser({ ...advance, changeId: randomUUID(), raises: false, until })
    )
  )
  return made.filter((isMade) => isMade).length
}
