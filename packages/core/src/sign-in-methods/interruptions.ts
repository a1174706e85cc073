import type { Config } from '../config/config.ts'
import { withTimeout } from '../errors/user-code.ts'
import type { PendingSignIn } from '../features/feature.ts'
import type { PendingSignInState } from '../features/interrupted-sign-ins.ts'
import type { RegisteredInterruption } from '../features/registered-feature.ts'
import type { StepUp } from '../features/step-up.ts'
import { toAuthentication } from '../model/authentication.ts'
import type { User } from '../model/user.ts'
import type { Proof } from './handler.ts'

/** What interruptions know about a sign-in. @param user - The planned user; `null` for a new one. */
export function toPendingSignIn(
  { proof, stepUp }: { readonly proof: Pick<Proof, 'authentication' | 'identity'>; readonly stepUp: StepUp | null },
  user: User | null,
  link: PendingSignIn['link']
): PendingSignIn {
  const { account, user: profile } = proof.identity
  const known = user ?? profile
  const authentication = toAuthentication(proof.authentication, known.id)
  return { user: known, isNewUser: user === null, account, profile, link, authentication, isStepUp: stepUp !== null }
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
