import type { LinkedAccount } from '@postern/core/feature'
import type { FrameProps } from '../frame.ts'

/** The values of the page of sign-in methods. */
export interface ConnectionsProps extends FrameProps {
  readonly accounts: readonly (Pick<LinkedAccount, 'provider' | 'providerAccountId' | 'providerName' | 'email'> & {
    /** The key of `providerName` in the texts of the screen. */
    readonly providerText: string
    /** Whether the user may disconnect it now. */
    readonly isRemovable: boolean
  })[]
  readonly removeAction: string
  /** The providers that can be connected, each with the URL that its form is posted to. */
  readonly available: readonly { readonly id: string; readonly name: string; readonly action: string }[]
  /** Where a provider returns to. */
  readonly callbackUrl: string
}
