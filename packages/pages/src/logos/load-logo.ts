import { createRequire } from 'node:module'
import type { BrandButton } from '../styles/brand-buttons.ts'
import { markFiles } from './generated/index.ts'

/** A provider's drawing. */
export interface Mark {
  /** The width and height of the field that it is drawn on. */
  readonly size: number
  /** Its one colour, or `null` where every shape has its own, which must not be changed. */
  readonly color: string | null
  /** The button that its owner’s rules ask for, or `null` for the one of all others. */
  readonly button: BrandButton | null
  readonly shapes: readonly { readonly d: string; readonly fill?: string }[]
}

const load = createRequire(import.meta.url)
const loaded = new Map<string, Mark | null>()

/**
 * Finds the drawing of a provider, and reads it at its first use: of those that nobody offers, none is in memory.
 *
 * @returns `null` where there is none, or where a bundler left the files behind.
 */
export function markOf(id: string): Mark | null {
  const file = Object.hasOwn(markFiles, id) ? markFiles[id] : undefined
  if (file === undefined) return null
  const known = loaded.get(file)
  if (known !== undefined) return known
  const mark = read(file)
  loaded.set(file, mark)
  return mark
}

function read(file: string): Mark | null {
  try {
    const content: unknown = load(`./generated/${file}.json`)
    return isMark(content) ? content : null
  } catch {
    return null
  }
}

function isMark(content: unknown): content is Mark {
  return typeof content === 'object' && content !== null && 'size' in content && 'shapes' in content
}
