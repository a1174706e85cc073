import type { Authentication, FeatureContext, User } from '@postern/core/feature'
import type { PasswordHasher } from '../password/password-hasher.ts'

/** The feature as the application has set it up. */
export interface SecondFactorSetup {
  readonly context: FeatureContext
  readonly required: boolean | ((user: User) => boolean | Promise<boolean>)
  /** Seconds; 0 if no browser is trusted. */
  readonly trustDeviceFor: number
  readonly satisfiedBy: ((authentication: Authentication) => boolean) | null
  /** `null` for the name of the site. */
  readonly issuer: string | null
  readonly getHasher: () => Promise<PasswordHasher>
}
