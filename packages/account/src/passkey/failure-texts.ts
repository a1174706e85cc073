import { createTexts, type TextsByLanguage } from '../texts-by-language.ts'

/** Why no passkey was used: on the pages of passkeys, and where they are a second factor. */
const en = {
  cancelledText: 'No passkey was used: you canceled, or it took too long.',
  cancelledNext: 'Try again, or use another way.',
  domainText: 'Passkeys do not work at this address.',
  domainNext: 'Open this site at its usual address.',
  unsupportedText: 'This browser cannot use passkeys here.',
  unsupportedNext: 'Use another browser or device, or another way.',
  failedText: 'The passkey could not be used.',
  failedNext: 'Try again, or use another way. Passkeys need JavaScript.'
}

export type FailureTextKey = keyof typeof en

export const failureTexts: TextsByLanguage<FailureTextKey> = createTexts('passkeyFailure', en)
