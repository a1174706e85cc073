import type { Adapter } from '../adapter/adapter.ts'
import type { FeatureScreen } from '../model/feature-page.ts'
import type { FeatureParts, FeatureRegistration, FeatureTexts, Interruption } from './feature.ts'
import type { FeatureServices } from './feature-context.ts'

/** A feature that is set up. */
export interface RegisteredFeature {
  readonly id: string
  readonly parts: FeatureParts
  readonly screens: readonly FeatureScreen[]
  readonly texts: FeatureTexts
  readonly connect: (services: FeatureServices) => void
  /** The adapter methods that it needs. */
  readonly needs: readonly (keyof Adapter)[]
  /** Whether it ends sessions. @defaultValue `false` */
  readonly endsSessions?: boolean
  /** Whether users must have authenticated recently for what it offers. @defaultValue `false` */
  readonly needsRecentSignIn?: boolean
  /** Checks the registration. @defaultValue no check */
  readonly check?: ((registration: FeatureRegistration) => readonly string[]) | undefined
}

/** An interruption, and the feature that it belongs to. */
export interface RegisteredInterruption {
  readonly interruption: Interruption
  readonly feature: RegisteredFeature
}
