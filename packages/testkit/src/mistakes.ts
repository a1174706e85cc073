import { mistakesOfAddresses } from './invalid-options/addresses.ts'
import { mistakesOfBounds } from './invalid-options/bounds.ts'
import { type Makers, type Mistake, secret } from './invalid-options/invalid-option.ts'
import { mistakesOfOthers } from './invalid-options/others.ts'
import { mistakesOfProviders } from './invalid-options/providers.ts'
import { mistakesOfSessions } from './invalid-options/sessions.ts'
import { mistakesOfSite } from './invalid-options/site.ts'

export { type Makers, production, secret } from './invalid-options/invalid-option.ts'

/** A mistake in a configuration, and what is to be told of it, wherever the configuration is given. */
export interface ToldMistake {
  readonly what: string
  /** What is laid over options without a mistake: {@link withoutMistake}. */
  readonly options: object
  /** `session.maxAge` */
  readonly option: string
  readonly message: RegExp
  readonly environment: Readonly<Record<string, string>>
}

const table: readonly Mistake[] = [
  ...mistakesOfSite,
  ...mistakesOfAddresses,
  ...mistakesOfSessions,
  ...mistakesOfBounds,
  ...mistakesOfOthers,
  ...mistakesOfProviders
]

/** @returns Every mistake that is told at registration. */
export function mistakesWith(makers: Makers): readonly ToldMistake[] {
  return table.map(([what, options, option, message, environment = {}]) => ({
    what,
    options: typeof options === 'function' ? options(makers) : options,
    option,
    message,
    environment
  }))
}

/** Options that the mistakes are laid over. */
export function withoutMistake<P>({ form }: { readonly form: P }): {
  readonly url: string
  readonly secret: string
  readonly providers: readonly P[]
} {
  return { url: 'https://app.test', secret, providers: [form] }
}
