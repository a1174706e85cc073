import { Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import type { FailureTextKey } from './failure-texts.ts'
import type { Texts } from './texts.ts'

/** Why there is no passkey, as the script and `@postern/react` name it. */
type FailureCode = 'PasskeyCancelled' | 'PasskeyExists' | 'PasskeyFailed' | 'PasskeyUnsupported' | 'PasskeyWrongDomain'

/** What happened, and what to do next. */
type Explanations = Readonly<Partial<Record<FailureCode, readonly [text: string, next: string]>>>

/** Explains why the authenticator did not respond. The script shows it. */
export function Failure({ explanations }: { readonly explanations: Explanations }): ReactElement {
  return (
    <template data-passkey-failures={JSON.stringify(explanations)}>
      <Notice tone="problem" explanation={{ text: '', next: '' }} />
    </template>
  )
}

/** Why no passkey was used. */
export const explainUse = (texts: Readonly<Record<FailureTextKey, string>>): Explanations => ({
  PasskeyCancelled: [texts.cancelledText, texts.cancelledNext],
  PasskeyWrongDomain: [texts.domainText, texts.domainNext],
  PasskeyUnsupported: [texts.unsupportedText, texts.unsupportedNext],
  PasskeyFailed: [texts.failedText, texts.failedNext]
})

/** Why no passkey was created. */
export const explainCreation = (texts: Texts): Explanations => ({
  ...explainUse(texts),
  PasskeyCancelled: [texts.notCreated, texts.expiredNext],
  PasskeyExists: [texts.existsText, texts.existsNext],
  PasskeyFailed: [texts.failed, '']
})
