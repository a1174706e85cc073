import type {
  AccountSection,
  FeatureContext,
  FeatureError,
  FeatureMail,
  FeatureRoute,
  FeatureScreen
} from '@postern/core/feature'
import type { DueTask } from './due-gate.ts'
import type { DueJob } from './due-jobs.ts'

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

/** What a section does for users later. */
interface DueParts {
  readonly job: DueJob
  readonly task: DueTask
  readonly error: FeatureError
  readonly exportData: (userId: string) => Promise<object>
}

/** A section: its entry on the account page, and its own pages. */
export interface SectionParts {
  readonly section: AccountSection
  readonly routes: readonly FeatureRoute[]
  readonly screens: readonly FeatureScreen<never>[]
  readonly mails?: readonly FeatureMail[]
  readonly due?: DueParts
}
