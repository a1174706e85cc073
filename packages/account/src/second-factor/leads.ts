import type { ChallengeProps, LostProps } from './props.ts'
import type { TextKey } from './texts.ts'

/** @returns The key of the text that says what the user can continue with. */
export function getChallengeLead({ methods, mail }: Pick<ChallengeProps, 'mail' | 'methods'>): TextKey {
  if (methods.includes('totp')) return mail === 'none' ? 'challengeText' : 'exhaustedText'
  const hasRecoveryCode = methods.includes('recovery-code')
  if (methods.includes('passkey')) return hasRecoveryCode ? 'challengeOther' : 'challengePasskey'
  return hasRecoveryCode ? 'challengeRecovery' : 'challengeNone'
}

/** @returns The key of the text that says what helps a user who has lost every factor. */
export function getLostHelp({ hasCodes, hasOtherWay }: Pick<LostProps, 'hasCodes' | 'hasOtherWay'>): TextKey {
  if (hasCodes) return 'lostHelp'
  return hasOtherWay ? 'challengeNone' : 'lostContact'
}
