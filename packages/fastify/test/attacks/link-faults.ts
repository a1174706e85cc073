import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { inTurn } from '@postern/testkit/long'
import type { Test } from 'tap'
import type { Started, start } from '../start.ts'
import { choose, second, startOverlap } from './session-setup.ts'
import { accountsOf, idIn, idOf, type Strategy, signIn, strategies, vera } from './setup.ts'

export const link = { provider: 'loose', link: 'true' } as const
export const alone = { provider: 'loose' } as const

/** The method that writes a link. */
export const getWriter = (hasTransactions: boolean) => (hasTransactions ? 'transact' : 'linkAccount')

export interface Faults {
  /** Runs before a call takes effect. */
  before: ((method: string, args: readonly unknown[]) => Promise<unknown>) | null
  /** Runs after a call has taken effect, and before its reply. */
  after: ((method: string) => Promise<unknown>) | null
}

/** Whether a call reads the own marker of a link, which is the first step after its last check of the sessions. */
export const settlesLink = (name: string, [key]: readonly unknown[]): boolean =>
  name === 'readTicket' && String(Object(key).kind).startsWith('unsettled-link')

export const lost = (): never => {
  throw Object.assign(new Error('the connection closed'), { code: 'ECONNRESET' })
}

/** An adapter whose calls fail when a test says so. */
export function createFaulty(inner: Adapter): { readonly adapter: Adapter; readonly faults: Faults } {
  const faults: Faults = { before: null, after: null }
  const entries = Object.entries(inner)
    .filter(([, method]) => method)
    .map(([name, method]) => [
      name,
      async (...args: readonly unknown[]) => {
        await faults.before?.(name, args)
        const result: unknown = await Reflect.apply(method, inner, args)
        await faults.after?.(name)
        return result
      }
    ])
  return { adapter: Object.fromEntries(entries), faults }
}

/** Runs work after the next call of a method. */
export function afterNext(faults: Faults, method: string, work: () => Promise<unknown>): void {
  faults.after = async (name) => {
    if (name !== method) return
    faults.after = null
    await work()
  }
}

/** A listener of the application that does what a test says, once. */
export function createListener() {
  let work: (() => Promise<unknown>) | null = null
  const linkAccount = async (): Promise<void> => {
    const act = work
    work = null
    await act?.()
  }
  const listen = (act: () => Promise<unknown>): void => {
    work = act
  }
  return { events: { linkAccount }, listen }
}

export interface Setting {
  readonly strategy: Strategy
  readonly hasTransactions: boolean
}

export const settings: readonly Setting[] = strategies.flatMap((strategy) =>
  [true, false].map((hasTransactions) => ({ strategy, hasTransactions }))
)

/** The parts of a setting, for a selection of cases. */
export const getFactors = ({ strategy, hasTransactions }: Setting): readonly unknown[] => [strategy, hasTransactions]

const opposites = inTurn([
  settings.filter(({ strategy, hasTransactions }) => (strategy === 'jwt') === hasTransactions),
  settings.filter(({ strategy, hasTransactions }) => (strategy === 'jwt') !== hasTransactions)
])

/**
 * In `npm test` two settings with nothing in common, so both strategies, and with and without transactions; at the next call
 * the other two. All in the complete long run.
 */
export const someSettings = (): readonly Setting[] => opposites().flat()

export const toName = ({ strategy, hasTransactions }: Setting): string =>
  `${strategy}, with${hasTransactions ? '' : 'out'} transactions`

/** A signed-in user, who connects an account next. */
export async function prepare(
  t: Test,
  { strategy, hasTransactions }: Setting,
  options: Parameters<typeof start>[1] = {},
  stored: Adapter = memoryAdapter()
) {
  const { adapter, faults } = createFaulty(choose(stored, hasTransactions))
  const started = await startOverlap(t, adapter, { session: { strategy }, ...options })
  await signIn(started, started.browser, vera)
  const id = (await idOf(started, vera.sub)) ?? ''
  started.clock.advance(1)
  const endAll = async (): Promise<void> => {
    started.clock.advance(0.01)
    await started.app.postern.sessions.revokeAll(id)
    started.clock.advance(3)
  }
  return { started, faults, id, endAll, browser: started.browser }
}

/** A link whose process ends just after it was written, while the sessions of the user end. */
export async function abandonLink(
  { started, faults, endAll }: Awaited<ReturnType<typeof prepare>>,
  finish: () => Promise<unknown>
): Promise<void> {
  faults.after = async (name) => {
    if (name !== 'transact' && name !== 'linkAccount') return
    faults.after = null
    await endAll()
    faults.before = async () => lost()
  }
  await finish().catch(() => undefined)
  faults.before = null
  started.clock.advance(130)
}

/** Waits until a call is reached, and lets it go on. */
export function createGate() {
  let open: () => void = () => undefined
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  let reach: () => void = () => undefined
  const isReached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const stop = async (): Promise<void> => {
    reach()
    await isOpen
  }
  return { open, stop, isReached }
}

/** Whether the account signs in as the user. */
export async function signsIn(started: Started, id: string): Promise<boolean> {
  const late = started.newBrowser()
  await signIn(started, late, second, alone)
  return (await idIn(late)) === id
}

export const isLinked = async (started: Started, id: string): Promise<boolean> =>
  (await accountsOf(started, id)).includes('loose two')

/** The owner connects the account, and signs in with it, at once or later. */
export async function requireLinkable(t: Test, started: Started, id: string): Promise<void> {
  // The account that was removed has got a user of its own since.
  const other = await idOf(started, 'two', 'loose')
  if (other !== null && other !== id) await started.adapter?.deleteUser?.(other)
  const own = started.newBrowser()
  await signIn(started, own, vera)
  await signIn(started, own, second, link)
  t.ok(await isLinked(started, id), 'the owner connects the account')
  started.clock.advance(130)
  t.ok(await signsIn(started, id), 'and signs in with it')
  t.ok(await isLinked(started, id), 'and it stays')
}
