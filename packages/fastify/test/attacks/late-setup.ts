import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import type { Test } from 'tap'
import type { Started } from '../start.ts'
import { stranger, unproven } from './first-sign-ins.ts'
import { createFaulty, type Faults, lost } from './link-faults.ts'
import { choose, startOverlap } from './session-setup.ts'
import type { Strategy } from './setup.ts'

// Claims and links with each kind of adapter, of which calls may take effect late.

export const loose = { provider: 'loose' } as const
export const link = { provider: 'loose', link: 'true' } as const

/** Another account of the stranger, and one of the owner. */
export const other = { ...stranger, sub: 'other' }
export const ownOther = { ...unproven, sub: 'other' }

export const looseOther = { provider: 'loose', providerAccountId: 'other' }
export const demoAccount = (providerAccountId: string) => ({ provider: 'demo', providerAccountId })

export const kinds = ['transact', 'createUserWithAccount', 'one row after the other'] as const
export type Kind = (typeof kinds)[number]

/** An application whose adapter writes a user and the account in one transaction, at once, or one after the other. */
export async function startKind(
  t: Test,
  kind: Kind,
  strategy: Strategy = 'database',
  options: Parameters<typeof startOverlap>[2] = {},
  memory: ReturnType<typeof memoryAdapter> = memoryAdapter()
) {
  const chosen = choose(memory, kind === 'transact')
  const { createUserWithAccount: _, ...plain } = chosen
  const { adapter, faults } = createFaulty(kind === 'one row after the other' ? plain : chosen)
  const started = await startOverlap(t, adapter, { session: { strategy }, ...options })
  /** What the application writes about the user. */
  const setAddress = (id: string, address: string, isVerified: boolean) =>
    memory.updateUser({ id, email: address, emailVerified: isVerified ? new Date(started.clock.now()) : null })
  return { started, faults, memory, setAddress }
}

type Matches = (args: readonly unknown[]) => boolean

/** Whether a call is about a ticket of a kind. */
export const kindIs =
  (kind: string): Matches =>
  ([ticket]) =>
    Object(ticket).kind === kind

/** Runs work before the next call that matches. */
export function beforeNext(
  faults: Faults,
  method: string,
  work: () => Promise<unknown>,
  matches: Matches = () => true
): void {
  faults.before = async (name, args) => {
    if (name !== method || !matches(args)) return
    faults.before = null
    await work()
  }
}

/** The next call that matches times out. @returns A function with which it takes effect. */
export function timeOutNext(
  { adapter }: Started,
  faults: Faults,
  method: keyof Adapter,
  matches: Matches = () => true
): () => Promise<unknown> {
  const calls: (readonly unknown[])[] = []
  faults.before = async (name, args) => {
    if (name !== method || !matches(args)) return
    faults.before = null
    calls.push(structuredClone(args))
    lost()
  }
  return async () => {
    const [args] = calls
    const call: unknown = adapter?.[method]
    if (!args || typeof call !== 'function') throw new Error(`${method} was not called`)
    return Reflect.apply(call, adapter, args)
  }
}
