import { mistakesOfAddresses } from './mistakes/addresses.ts'
import { mistakesOfBounds } from './mistakes/bounds.ts'
import { type Makers, type Mistake, secret } from './mistakes/mistake.ts'
import { mistakesOfOthers } from './mistakes/others.ts'
import { mistakesOfProviders } from './mistakes/providers.ts'
import { mistakesOfSessions } from './mistakes/sessions.ts'
import { mistakesOfSite } from './mistakes/site.ts'

export { type Makers, production, secret } from './mistakes/mistake.ts'

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
