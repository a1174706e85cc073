import type { AdapterUser, FeatureContext } from '@postern/core/feature'

/** Whether a user is asked for a second factor, which a passkey may be. */
export type AsksForFactor = (user: AdapterUser) => Promise<boolean>

const policies = new WeakMap<object, AsksForFactor>()

/** Lets passkeys know the policy of the second factor, without a part of the public API. */
export function registerFactorPolicy(api: object, asks: AsksForFactor): void {
  policies.set(api, asks)
}

/** Whether a passkey is a second factor of the user, not only a way to sign in. */
export async function isSecondFactor(
  user: AdapterUser,
  { features }: Pick<FeatureContext, 'features'>
): Promise<boolean> {
  const api: object | undefined = Object.hasOwn(features, 'factors') ? Reflect.get(features, 'factors') : undefined
  return (await (api && policies.get(api))?.(user)) ?? false
}
