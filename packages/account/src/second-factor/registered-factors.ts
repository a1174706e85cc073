import type { FeatureContext } from '@postern/core/feature'

/** What the API of the feature is for the other features of this package: its context mails codes. */
export class RegisteredFactors {
  readonly #context: FeatureContext

  constructor(context: FeatureContext) {
    this.#context = context
  }

  /** @returns The context of the second factor; `null` if the application has none. */
  static find({ features: { factors } }: FeatureContext): FeatureContext | null {
    return factors instanceof RegisteredFactors ? factors.#context : null
  }
}
