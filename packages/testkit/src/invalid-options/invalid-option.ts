/** What the rows are made with: the providers of core, as its tests and those of others import them. */
export interface Makers {
  /** GitHub with a client id and a secret. */
  readonly hub: object
  /** A form that nobody signs in with. */
  readonly form: object
  /** E-mail with a server and a sender. */
  readonly mail: object
  github(options?: object): object
  email(options?: object): object
  oidc(options: object): object
}

/** Options with one mistake, as somebody without TypeScript writes them, and what is to be told of it. */
export type Mistake = readonly [
  what: string,
  options: object | ((makers: Makers) => object),
  option: string,
  message: RegExp,
  environment?: Readonly<Record<string, string>>
]

export const secret = 'a secret of the tests, 32 characters or more'
export const production = { NODE_ENV: 'production' } as const
