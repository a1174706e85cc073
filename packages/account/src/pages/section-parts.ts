import type { AccountSection, FeatureContext, FeatureMail, FeatureRoute, FeatureScreen } from '@postern/core/feature'

/** What the sections of the account pages are created with. */
export interface SectionDeps {
  readonly context: FeatureContext
  /** Days before an account is deleted; `null` if it is deleted at once. */
  readonly gracePeriod: number | null
}

/** A section: its entry on the account page, and its own pages. */
export interface SectionParts {
  readonly section: AccountSection
  readonly routes: readonly FeatureRoute[]
  readonly screens: readonly FeatureScreen<never>[]
  readonly mails?: readonly FeatureMail[]
}
