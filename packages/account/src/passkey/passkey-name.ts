import { toDisplayName } from '@postern/core/feature'

/** Unicode characters. */
export const maxNameLength = 64

/** @returns A typed name as one visible line; `null` if nothing of it is visible. */
export const normalizeName = (text: string | null): string | null => toDisplayName(text ?? '', maxNameLength)
