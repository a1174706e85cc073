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
export function radiusOf({ radius }: Theme): string {
  if (!length.test(radius)) return defaultRadius
  return radius === '0' ? '0px' : radius
}

/** The font and the corners. The card's are larger, since they lie around the others; never so that text is cut. */
export function shapeRules(theme: Theme): string {
  const card = 'min(calc(var(--radius)*1.75),1.5rem)'
  const badge = 'min(calc(var(--radius)*1.4),1.5rem)'
  return `:root{--font:${fontOf(theme)};--radius:${radiusOf(theme)};--radius-card:${card};--radius-badge:${badge}}`
}
