import type { FeatureContext } from '@postern/core/feature'
import type { PasskeyDeps } from './passkey-deps.ts'

const depsByApi = new WeakMap<object, PasskeyDeps>()

/** Lets the other features of this package verify passkeys, without a part of the public API. */
export function registerPasskeys(api: object, deps: PasskeyDeps): void {
  depsByApi.set(api, deps)
}

/** @returns `null` if the application has no passkeys. */
export function findRegisteredPasskeys({ features }: Pick<FeatureContext, 'features'>): PasskeyDeps | null {
  const api = features.passkey
  return (api && depsByApi.get(api)) ?? null
}
