import type {
  AccountSection,
  FeatureContext,
  FeatureMail,
  FeatureParts,
  FeatureRoute,
  FeatureScreen
} from '@postern/core/feature'

/** What the sections of the account pages are created with. */
export interface SectionDeps {
  readonly context: FeatureContext
}

/** A section: its entry on the account page, and its own pages. */
export interface SectionParts {
  readonly section: AccountSection
  readonly routes: readonly FeatureRoute[]
  readonly screens: readonly FeatureScreen<never>[]
  readonly mails?: readonly FeatureMail[]
  /** What the section adds to the feature besides pages. @defaultValue nothing */
  readonly parts?: Pick<FeatureParts, 'addressRequests' | 'isEmailReserved' | 'onUserDelete'>
}
