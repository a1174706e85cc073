import type { PendingDeletion } from '../deletion/props.ts'
import type { WaitingEmail } from '../email/props.ts'

/** A section, as the account page lists it. */
export interface ListedSection {
  /** `account/profile`; also the key of its title in the texts of the page. */
  readonly id: string
  readonly href: string
  /** The key of its line in the texts of the page, and the values of the placeholders; `null` for none. */
  readonly summary: { readonly text: string; readonly values: Readonly<Record<string, string>> } | null
  readonly isWarning: boolean
  readonly isDestructive: boolean
}

/** The values of the account page. */
export interface AccountProps {
  readonly name: string | null
  readonly email: string | null
  readonly sections: readonly ListedSection[]
  /** The deletion of the account that is scheduled; `null` if none is. */
  readonly deletion: PendingDeletion | null
  /** The change of the email address that waits; `null` if none does. */
  readonly emailChange: WaitingEmail | null
  readonly siteName: string
  readonly siteUrl: string
  readonly signOutUrl: string
}
