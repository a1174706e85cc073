import type { Theme } from '@postern/core'

const schemes: readonly Theme['colorScheme'][] = ['auto', 'dark', 'light']

/** @returns The configured color scheme; `auto` if it is invalid. */
export function getScheme({ colorScheme }: Theme): Theme['colorScheme'] {
  return schemes.includes(colorScheme) ? colorScheme : 'auto'
}
