import type { SignInOption } from '@postern/core'
import type { ReactElement } from 'react'
import { loadLogo } from '../logos/load-logo.ts'
import { ProviderLogo } from '../logos/provider-logo.tsx'
import type { Texts } from '../texts/texts.ts'
import { Mark, marked } from './button.tsx'

interface ProviderButtonProps {
  readonly choice: Extract<SignInOption, { readonly type: 'oauth' }>
  readonly texts: Texts
  /** Whether this browser signed in with it last. @defaultValue `false` */
  readonly isLastUsed?: boolean
  /** Whether it is the way that the page prefers: the button of a brand keeps its colors. @defaultValue `false` */
  readonly isMain?: boolean
}

/** A button that starts a sign-in at an external provider. */
export function ProviderButton({
  choice,
  texts,
  isLastUsed = false,
  isMain = false
}: ProviderButtonProps): ReactElement {
  const brand = loadLogo(choice.id)?.button ?? null
  const look = brand ?? (isMain && choice.symbol ? 'main' : null)
  return (
    <button
      type="submit"
      className={`button button-provider${look === null ? '' : ` button-${look}`}`}
      {...(isLastUsed && marked)}
    >
      <ProviderLogo provider={choice} />
      <span>{choice.submit ?? texts.signIn.submit(choice.name)}</span>
      {isLastUsed && <Mark text={texts.signIn.lastUsed} />}
    </button>
  )
}
