import type { LostProps } from './props.ts'
import type { TextKey } from './texts.ts'

/** @returns The key of the text that says what helps a user who has lost every factor. */
export function getLostHelp({ hasCodes, hasOtherWay }: Pick<LostProps, 'hasCodes' | 'hasOtherWay'>): TextKey {
  if (hasCodes) return 'lostHelp'
  return hasOtherWay ? 'challengeNone' : 'lostContact'
}
