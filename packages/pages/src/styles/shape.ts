import type { Theme } from '@postern/core'

const sans = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif'
const defaultRadius = '.625rem'
const length = /^(?:0|\d{1,2}(?:\.\d{1,3})?(?:px|rem))$/
const family = /^(?:[\p{L}_][\p{L}\p{N}_ -]*|"[\p{L}\p{N}_. -]+"|'[\p{L}\p{N}_. -]+')$/u
const maxFontLength = 300

/** @returns The configured font families; the system's if the list is invalid. */
export function getFont({ font }: Theme): string {
  const isList = font.length <= maxFontLength && font.split(/ *, */).every((name) => family.test(name))
  return isList ? font : sans
}

/** @returns The radius of buttons and fields; the default if the length is invalid. */
function getRadius({ radius }: Theme): string {
  if (!length.test(radius)) return defaultRadius
  return radius === '0' ? '0px' : radius
}

/** @returns The radius in pixels for mail clients, which do not support `rem`. */
export function radiusInPixels(theme: Theme): number {
  const radius = getRadius(theme)
  return Number.parseFloat(radius) * (radius.endsWith('rem') ? 16 : 1)
}

/**
 * The rules for font and corners. The card's radii are larger, because it surrounds the others; radii around several
 * lines of text are limited, so that no text is clipped.
 */
export function shapeRules(theme: Theme): string {
  const values = {
    font: getFont(theme),
    radius: getRadius(theme),
    'radius-card': 'min(calc(var(--radius)*1.75),1.5rem)',
    'radius-badge': 'min(calc(var(--radius)*1.4),1.5rem)',
    'radius-box': 'min(var(--radius),1rem)'
  }
  const variables = Object.entries(values).map(([name, value]) => `--${name}:${value};`)
  return `:root{${variables.join('')}}`
}
