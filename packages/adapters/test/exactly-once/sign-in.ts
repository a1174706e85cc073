import { randomUUID } from 'node:crypto'
import type { Adapter, AdapterCall, VerificationToken } from '@postern/core'

type Store = Required<Omit<Adapter, 'atomically'>> & Pick<Adapter, 'atomically'>

/** What many who use one token at the same moment are told. */
export interface Outcome {
  readonly signedIn: number
  readonly refused: number
  readonly failures: readonly string[]
}

/** Uses one token many times at the same moment. */
export async function signInMany(store: Store, token: VerificationToken, callers: number): Promise<Outcome> {
  const outcomes = await Promise.allSettled(Array.from({ length: callers }, () => signIn(store, token)))
  const told = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason)))
  return {
    signedIn: told.filter((one) => one === true).length,
    refused: told.filter((one) => one === false).length,
    failures: told.filter((one) => typeof one === 'string')
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
  if (store.atomically) return store.atomically(calls)
  const taken = await store.useVerificationToken({ identifier, token })
  if (!taken) return false
  await store.createUser(user)
  await store.createSession(session)
  return true
}
