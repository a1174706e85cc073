import { hasInternationalLocalPart } from '@postern/core/feature'

/** The keys of the texts that say why an address is refused. */
export type AddressProblem = 'emailInvalid' | 'emailLetters'

/** @returns Why an address is refused that cannot be normalized. */
export function explainAddress(typed: string): AddressProblem {
  return hasInternationalLocalPart(typed) ? 'emailLetters' : 'emailInvalid'
}
