import type { FeatureContext } from '@postern/core/feature'
import type { PasskeySetup } from './passkey/passkey-setup.ts'

/** What the features of this package are for each other. */
export interface AccountParts {
  /** The context of `secondFactor()`, which mails codes; `null` if the application has no second factor. */
  readonly factors: FeatureContext | null
  /** What passkeys are verified with; `null` if the application has none. */
  readonly passkeys: PasskeySetup | null
  /** Whether there is an account page. */
  readonly hasPages: boolean
}

/** The API of a feature, with what the other features of this package need of it. */
export class AccountPart {
  readonly #part: Partial<AccountParts>

  constructor(part: Partial<AccountParts>) {
    this.#part = part
  }

  /** Finds the parts of the features of an application. They can be registered in any order: it is called from the first request on. */
  static findAll({ features }: FeatureContext): AccountParts {
    const own = Object.values(features).map((api) => (api instanceof AccountPart ? api.#part : null))
    return Object.assign({ factors: null, passkeys: null, hasPages: Object.hasOwn(features, 'account') }, ...own)
  }
}
