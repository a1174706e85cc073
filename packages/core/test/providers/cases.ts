import { first } from './cases-a-l.ts'
import { second } from './cases-m-z.ts'
import type { Case } from './facts.ts'
import { variants } from './variants.ts'

/** Each provider with its cases: the usual one, and others where its responses or options come in several kinds. */
export const cases: ReadonlyMap<string, readonly Case[]> = new Map(
  [...Object.entries(first), ...Object.entries(second)].map(([id, usual]) => [id, [usual, ...(variants[id] ?? [])]])
)
