import type { Config } from '../config/config.ts'
import { withTimeout } from '../errors/user-code.ts'
import type { PendingSignIn } from '../features/feature.ts'
import type { PendingSignInState } from '../features/interrupted-sign-ins.ts'
import type { RegisteredInterruption } from '../features/registry.ts'
import type { Identity } from '../model/identity.ts'
import type { User } from '../model/user.ts'

/** What interruptions know about a sign-in. @param user - The planned user; `null` for a new one. */
export function toPendingSignIn({ user: profile, account }: Identity, user: User | null): PendingSignIn {
  return { user: user ?? profile, isNewUser: user === null, account }
}

/**
 * Finds the first interruption that must pass before the session is created. Every way to sign in asks it.
 *
 * @throws Error if an interruption fails or does not respond: the sign-in is refused.
 */
export async function findDueInterruption(
  signIn: PendingSignIn,
  resumed: Pick<PendingSignInState, 'passed'> | null,
  { features, constants }: Pick<Config, 'features' | 'constants'>
): Promise<RegisteredInterruption | null> {
  for (const registered of features.interruptions) {
    const { interruption, feature } = registered
    if (resumed?.passed.includes(interruption.id)) continue
    const isDue = await withTimeout(
      `features.${feature.id}: ${interruption.id}.isDue`,
      interruption.isDue(signIn),
      constants.callbackTimeoutMilliseconds
    )
    // Anything except `false` interrupts: a mistake in the function must not open the gate.
    if (isDue !== false) return registered
  }
  return null
}
