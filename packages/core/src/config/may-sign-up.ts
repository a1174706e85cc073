import { wrapCallback } from '../errors/user-code.ts'
import type { ProviderTraits } from '../model/provider-traits.ts'

/**
 * Resolves the option `signUp` of a provider, which is a boolean or a function of the address.
 *
 * @param callee - The name of the option, for the log.
 * @returns `null` if any address may sign up. A function that returns anything but `true` refuses the address.
 */
export function createMaySignUp(callee: string, signUp: unknown, callbackTimeout: number): ProviderTraits['maySignUp'] {
  if (signUp === false) return async () => false
  if (typeof signUp !== 'function') return null
  const ask = wrapCallback(callee, async (email: string): Promise<unknown> => signUp(email), callbackTimeout)
  return async (email) => (await ask(email)) === true
}
