import type { Authentication, Shape, User } from '@postern/core/feature'

export interface SecondFactorOptions {
  /**
   * Who needs a second factor. Users who have none enroll one when they sign in. A function receives the stored user, or the
   * profile of a new one; if it fails, the sign-in is refused. Anything but `false` needs a mail server.
   *
   * @defaultValue `false`: users decide
   */
  readonly required?: boolean | ((user: User) => boolean | Promise<boolean>) | undefined
  /**
   * Seconds for which a browser is not asked again, if the user chooses so, at most 400 days; 0 turns it off. A guard always
   * asks.
   *
   * @defaultValue 30 days
   */
  readonly trustDeviceFor?: number | undefined
  /**
   * Whether a sign-in needs no second factor, such as one at a provider that states it in `acr`. If it fails, the sign-in is
   * refused. A sign-in with `mfa` in `amr` never needs one.
   *
   * @defaultValue none
   */
  readonly satisfiedBy?: ((authentication: Authentication) => boolean) | undefined
  /** The name of the application in the authenticator app. @defaultValue the name of the site */
  readonly issuer?: string | undefined
}

export const schema: Shape = {
  required: { oneOf: ['boolean', 'function'] },
  trustDeviceFor: { min: 0, max: 400 * 24 * 60 * 60 },
  satisfiedBy: 'function',
  issuer: 'string'
}

/** 30 days, in seconds. */
export const defaultTrustDeviceFor: number = 30 * 24 * 60 * 60
