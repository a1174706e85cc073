import { memoryAdapter } from '@postern/adapters/memory'
import type { Test } from 'tap'
import type { Started } from '../start.ts'
import { createFaulty, createGate, type Faults, lost } from './link-faults.ts'
import { choose, startOverlap } from './session-setup.ts'
import { begin, idIn, type Strategy } from './setup.ts'

// First sign-ins with an adapter that writes a user and the account one after the other, without a transaction.

export const email = 'new@example.com'

/** Whose address it is. */
export const owner = { sub: 'new', name: 'New', email, email_verified: true }

/** The same person at a provider that does not say whether it is. */
export const unproven = { ...owner, email_verified: false }

/** Who states the same address, and has not proven it. */
export const stranger = { sub: 'stranger', name: 'M', email, email_verified: false }

/** An application with such an adapter. */
export async function startPlain(
  t: Test,
  strategy: Strategy = 'database',
  options: Parameters<typeof startOverlap>[2] = {}
) {
  const { createUserWithAccount: _, ...plain } = choose(memoryAdapter(), false)
  const { adapter, faults } = createFaulty(plain)
  return { started: await startOverlap(t, adapter, { session: { strategy }, ...options }), faults }
}

/** Stops the next call of a method, before or after it takes effect, until the gate is opened. */
export function stopNext(faults: Faults, when: 'after' | 'before', method: string, then?: () => never) {
  const gate = createGate()
  faults[when] = async (name: string) => {
    if (name !== method) return
    faults[when] = null
    await gate.stop()
    then?.()
  }
  return gate
}

/** The next call of a method, before or after it takes effect, is the last of its process: it ends when the gate is opened. */
export const endNext = (faults: Faults, when: 'after' | 'before', method: string) =>
  stopNext(faults, when, method, lost)

/** A sign-in that is about to link its account. */
export async function stopBeforeLink(
  started: Started,
  faults: Faults,
  person: typeof owner,
  browser = started.newBrowser()
) {
  const { finish } = await begin(started, browser, person)
  const link = stopNext(faults, 'before', 'linkAccount')
  const tab = finish()
  await link.isReached
  return { link, tab, id: await idByEmail(started) }
}

/** Two sign-ins with the account of a stranger that are both about to link it: the second one continues the first. */
export async function stopTwoLinks(started: Started, faults: Faults) {
  const [first, second] = [started.newBrowser(), started.newBrowser()]
  const { link: firstLink, tab: firstTab } = await stopBeforeLink(started, faults, stranger, first)
  started.clock.advance(20)
  const { link: secondLink, tab: secondTab } = await stopBeforeLink(started, faults, stranger, second)
  return { first, firstLink, firstTab, second, secondLink, secondTab }
}

export const idByEmail = async ({ adapter }: Started): Promise<string> =>
  (await adapter?.getUserByEmail?.(email))?.id ?? ''

/** Signs in in a new browser. @returns The id of the user, or `null`. */
export async function signInLate(
  started: Started,
  ...how: Parameters<typeof begin> extends [unknown, unknown, ...infer R] ? R : never
) {
  const late = started.newBrowser()
  await (await begin(started, late, ...how)).finish()
  return idIn(late)
}
