import { invalidAddresses } from './invalid-options/addresses.ts'
import { invalidBounds } from './invalid-options/bounds.ts'
import { type InvalidOption, type Makers, secret } from './invalid-options/invalid-option.ts'
import { invalidOthers } from './invalid-options/others.ts'
import { invalidProviderOptions } from './invalid-options/provider-options.ts'
import { invalidProviders } from './invalid-options/providers.ts'
import { invalidSessions } from './invalid-options/sessions.ts'
import { invalidSite } from './invalid-options/site.ts'

export { type Makers, production, secret } from './invalid-options/invalid-option.ts'

/** A configuration error and its expected report, for every API that accepts the configuration. */
export interface InvalidOptions {
  readonly title: string
  /** Merged over valid options: {@link validOptions}. */
  readonly options: object
  /** `session.maxAge` */
  readonly option: string
  readonly code: string
  readonly message: RegExp
  readonly environment: Readonly<Record<string, string>>
}

const table: readonly InvalidOption[] = [
  ...invalidSite,
  ...invalidAddresses,
  ...invalidSessions,
  ...invalidBounds,
  ...invalidOthers,
  ...invalidProviders,
  ...invalidProviderOptions
]

/** @returns Every error that registration reports. */
export function invalidOptionsWith(makers: Makers): readonly InvalidOptions[] {
  return table.map(([title, options, option, code, message, environment = {}]) => ({
    title,
    options: typeof options === 'function' ? options(makers) : options,
    option,
    code,
    message,
    environment
  }))
}

/** Valid options, which the errors are merged into. */
export function validOptions<P>({ form }: { readonly form: P }): {
  readonly url: string
  readonly secret: string
  readonly providers: readonly P[]
} {
  return { url: 'https://app.test', secret, providers: [form] }
}
