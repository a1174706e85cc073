import type { Choice } from '@postern/core'
import type { ReactElement } from 'react'
import { markOf } from '../logos/load-logo.ts'
import { ProviderMark } from '../logos/provider-logo.tsx'
import type { Texts } from '../texts/texts.ts'

interface ProviderButtonProps {
  readonly choice: Extract<Choice, { readonly type: 'oauth' }>
  readonly texts: Texts
}

/** Starts a sign-in at an external provider. */
export function ProviderButton({ choice, texts }: ProviderButtonProps): ReactElement {
  const brand = markOf(choice.id)?.button ?? null
  return (
    <button type="submit" className={`button button-provider${brand === null ? '' : ` button-${brand}`}`}>
      <ProviderMark provider={choice} />
      <span>{texts.signIn.submit(choice.name)}</span>
    </button>
  )
}
