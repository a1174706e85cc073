import type { AccountSection, FeatureContext, FeatureMail, FeatureRoute, FeatureScreen } from '@postern/core/feature'

/** What the sections of the account pages are created with. */
export interface AccountSetup {
  readonly context: FeatureContext
  /** Days before an account is deleted; `null` if the owner may delete it at once. */
  readonly gracePeriod: number | null
  /** Whether users can delete their account on the account page. */
  readonly hasDeletion: boolean
  /** Whether users can change their email address on the account page. */
  readonly hasEmail: boolean
}

/** A section: its entry on the account page, and its own pages. */
export interface SectionParts {
  readonly section: AccountSection
  readonly routes: readonly FeatureRoute[]
  readonly screens: readonly FeatureScreen<never>[]
  readonly mails?: readonly FeatureMail[]
}
