import type { SignInOption } from '@postern/core'
import type { ReactElement } from 'react'
import { loadLogo } from '../logos/load-logo.ts'
import { ProviderLogo } from '../logos/provider-logo.tsx'
import type { Texts } from '../texts/texts.ts'

interface ProviderButtonProps {
  readonly choice: Extract<SignInOption, { readonly type: 'oauth' }>
  readonly texts: Texts
}

/** A button that starts a sign-in at an external provider. */
export function ProviderButton({ choice, texts }: ProviderButtonProps): ReactElement {
  const brand = loadLogo(choice.id)?.button ?? null
  return (
    <button type="submit" className={`button button-provider${brand === null ? '' : ` button-${brand}`}`}>
      <ProviderLogo provider={choice} />
      <span>{choice.submit ?? texts.signIn.submit(choice.name)}</span>
    </button>
  )
}
