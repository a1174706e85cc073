/** The providers of core that the rows use, as imported by the test. */
export interface Makers {
  /** GitHub with a client id and a secret. */
  readonly hub: object
  /** A form that is never submitted. */
  readonly form: object
  /** Email with a server and a sender. */
  readonly mail: object
  github(options?: object): object
  email(options?: object): object
  oidc(options?: object): object
}

/** Options with one error, as written without TypeScript, and the expected report. */
export type InvalidOption = readonly [
  title: string,
  options: object | ((makers: Makers) => object),
  option: string,
  code: string,
  message: RegExp,
  environment?: Readonly<Record<string, string>>
]

export const secret = 'a secret of the tests, 32 characters or more'
export const production = { NODE_ENV: 'production' } as const
