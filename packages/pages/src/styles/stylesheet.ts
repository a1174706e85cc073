import { createHash } from 'node:crypto'
import type { Asset, Theme } from '@postern/core'
import { baseRules } from './base.ts'
import { brandButtonRules } from './brand-buttons.ts'
import { controlRules } from './controls.ts'
import { type Palette, paletteFor } from './palette.ts'
import { partRules } from './parts.ts'
import { getScheme } from './scheme.ts'
import { shapeRules } from './shape.ts'

/** A style sheet, and a file name derived from its content. */
export interface Stylesheet {
  readonly name: string
  readonly asset: Asset
}

/** Builds the style sheet of a theme. */
export function stylesheetFor(theme: Theme): Stylesheet {
  const rules = [schemeRules(theme), shapeRules(theme), baseRules, controlRules, partRules, brandButtonRules]
  const lines = rules.join('').split('\n')
  const body = lines.map((line) => line.trim()).join('')
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return { name: `${hash}.css`, asset: { contentType: 'text/css; charset=utf-8', body } }
}

function schemeRules(theme: Theme): string {
  const scheme = getScheme(theme)
  if (scheme !== 'auto') return root(scheme, paletteFor(theme, scheme))
  const dark = root('dark', paletteFor(theme, 'dark'))
  return `${root('light', paletteFor(theme, 'light'))}@media (prefers-color-scheme:dark){${dark}}`
}

function root(scheme: 'dark' | 'light', palette: Palette): string {
  const variables = Object.entries(palette).map(([name, color]) => `--${name}:${color};`)
  return `:root{color-scheme:${scheme};${variables.join('')}}`
}
