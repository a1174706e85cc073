import { createRequire } from 'node:module'
import type { BrandButton } from '../styles/brand-buttons.ts'
import { markFiles } from './generated/index.ts'
import { hasLogo } from './has-logo.ts'

/** The logo of a provider. */
export interface LogoDrawing {
  /** The width and height of its view box. */
  readonly size: number
  /** The left and upper edge of its view box. @defaultValue `[0, 0]` */
  readonly origin?: readonly [x: number, y: number]
  /** Its single color, or `null` if the shapes have their own colors, which must not be changed. */
  readonly color: string | null
  /** The button that its owner's brand guidelines require, or `null` for the default button. */
  readonly button: BrandButton | null
  readonly shapes: readonly { readonly d: string; readonly fill?: string }[]
}

const load = createRequire(import.meta.url)
const loaded = new Map<string, LogoDrawing | null>()

/**
 * Loads the logo of a provider on first use, so that unused logos take no memory.
 *
 * @returns `null` if there is none, or a bundler has omitted the files.
 */
export function loadLogo(id: string): LogoDrawing | null {
  const file = hasLogo(id) ? markFiles[id] : undefined
  if (file === undefined) return null
  const known = loaded.get(file)
  if (known !== undefined) return known
  const mark = read(file)
  loaded.set(file, mark)
  return mark
}

function read(file: string): LogoDrawing | null {
  try {
    const content: unknown = load(`#logos/${file}.json`)
    return isLogoDrawing(content) ? content : null
  } catch {
    return null
  }
}

function isLogoDrawing(content: unknown): content is LogoDrawing {
  return typeof content === 'object' && content !== null && 'size' in content && 'shapes' in content
}
