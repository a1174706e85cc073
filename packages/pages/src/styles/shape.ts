import type { Theme } from '@postern/core'

const sans = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif'
const defaultRadius = '.625rem'
const length = /^(?:0|\d{1,2}(?:\.\d{1,3})?(?:px|rem))$/
const family = /^(?:[\p{L}_][\p{L}\p{N}_ -]*|"[\p{L}\p{N}_. -]+"|'[\p{L}\p{N}_. -]+')$/u
const longestFont = 300

/** @returns The configured font families; the system's for what is no list of names. */
export function fontOf({ font }: Theme): string {
  const isList = font.length <= longestFont && font.split(/ *, */).every((name) => family.test(name))
  return isList ? font : sans
}

/** @returns The radius of buttons and fields; the default for what is no length. */
function radiusOf({ radius }: Theme): string {
  if (!length.test(radius)) return defaultRadius
  return radius === '0' ? '0px' : radius
}

/** @returns The same for mail programs, which know of no `rem`. */
export function radiusInPixels(theme: Theme): number {
  const radius = radiusOf(theme)
  return Number.parseFloat(radius) * (radius.endsWith('rem') ? 16 : 1)
}

/**
 * The font and the corners. The card's are larger, since they lie around the others; where text has several lines they
 * are bounded, so that none is cut.
 */
export function shapeRules(theme: Theme): string {
  const radii = {
    radius: radiusOf(theme),
    'radius-card': 'min(calc(var(--radius)*1.75),1.5rem)',
    'radius-badge': 'min(calc(var(--radius)*1.4),1.5rem)',
    'radius-box': 'min(var(--radius),1rem)'
  }
  const variables = Object.entries({ font: fontOf(theme), ...radii }).map(([name, value]) => `--${name}:${value};`)
  return `:root{${variables.join('')}}`
}
