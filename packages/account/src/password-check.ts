import type { FeatureContext, FeatureRequest } from '@postern/core/feature'

/** Compares typed passwords for other features, without a part of the public API. */
export interface PasswordCheck {
  /** The type of the factors whose data is the hash of a password. */
  readonly factorType: string
  /** Compares a typed password with a hash. @throws AuthError `RateLimited` if too many wait */
  compare(typed: string, hash: string | null, request: FeatureRequest): Promise<boolean>
}

const checks = new WeakMap<object, PasswordCheck>()

/** @returns The API, through which other features find the check. */
export function registerPasswordCheck<Api extends object>(api: Api, check: PasswordCheck): Api {
  checks.set(api, check)
  return api
}

/** @returns `null` if the application has no passwords. */
export function findPasswordCheck({ features }: Pick<FeatureContext, 'features'>): PasswordCheck | null {
  const api: object | undefined = Object.hasOwn(features, 'password') ? Reflect.get(features, 'password') : undefined
  return (api && checks.get(api)) ?? null
}
