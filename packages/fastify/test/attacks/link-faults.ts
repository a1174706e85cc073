import type { Adapter } from '@postern/core'
import { inTurn } from '@postern/testkit/long'
import { type Strategy, strategies } from './setup.ts'

export const link = { provider: 'loose', link: 'true' } as const
export const alone = { provider: 'loose' } as const

export interface Faults {
  /** Runs before a call takes effect. */
  before: ((method: string, args: readonly unknown[]) => Promise<unknown>) | null
  /** Runs after a call has taken effect, and before its reply. */
  after: ((method: string) => Promise<unknown>) | null
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

export interface Setting {
  readonly strategy: Strategy
  readonly hasTransactions: boolean
}

export const settings: readonly Setting[] = strategies.flatMap((strategy) =>
  [true, false].map((hasTransactions) => ({ strategy, hasTransactions }))
)

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
