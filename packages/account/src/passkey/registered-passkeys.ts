import type { FeatureContext } from '@postern/core/feature'
import type { PasskeySetup } from './passkey-setup.ts'

/** What the API of the feature is for the other features of this package: they verify passkeys with it. */
export class RegisteredPasskeys {
  readonly #setup: PasskeySetup

  constructor(setup: PasskeySetup) {
    this.#setup = setup
  }

  /** @returns `null` if the application has no passkeys. */
  static find({ features: { passkey } }: FeatureContext): PasskeySetup | null {
    return passkey instanceof RegisteredPasskeys ? passkey.#setup : null
  }
}
