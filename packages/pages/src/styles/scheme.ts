import type { Theme } from '@postern/core'

const schemes: readonly Theme['colorScheme'][] = ['auto', 'dark', 'light']

/** @returns The configured colour scheme; `auto` for anything that is none. */
export function schemeOf({ colorScheme }: Theme): Theme['colorScheme'] {
  return schemes.includes(colorScheme) ? colorScheme : 'auto'
}
