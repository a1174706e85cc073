import type { Choice } from '@postern/core'
import type { ReactElement } from 'react'
import { LetteredMark } from '../marks/lettered-mark.tsx'
import type { Texts } from '../texts/texts.ts'

interface ProviderButtonProps {
  readonly choice: Extract<Choice, { readonly type: 'oauth' }>
  readonly texts: Texts
}

/** Starts a sign-in at an external provider. */
export function ProviderButton({ choice, texts }: ProviderButtonProps): ReactElement {
  return (
    <button type="submit" className="button button-provider">
      <LetteredMark name={choice.name} style={choice.style} />
      <span>{texts.signIn.submit(choice.name)}</span>
    </button>
  )
}
