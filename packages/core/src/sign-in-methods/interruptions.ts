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

/** What interruptions are asked with. */
type InterruptionDeps = Pick<Config, 'features' | 'constants'>

/** Whether an interruption must pass. Anything except `false` interrupts: a mistake in the function must not open the gate. */
async function isDue(
  { interruption, feature }: RegisteredInterruption,
  signIn: PendingSignIn,
  resumed: Pick<PendingSignInState, 'passed'> | null,
  { constants }: InterruptionDeps
): Promise<boolean> {
  if (resumed?.passed.includes(interruption.id)) return false
  const result = await withTimeout(
    `features.${feature.id}: ${interruption.id}.isDue`,
    interruption.isDue(signIn),
    constants.callbackTimeoutMilliseconds
  )
  return result !== false
}

/**
 * Finds the first interruption that must pass before the session is created. Every way to sign in asks it.
 *
 * @throws Error if an interruption fails or does not respond: the sign-in is refused.
 */
export async function findDueInterruption(
  signIn: PendingSignIn,
  resumed: Pick<PendingSignInState, 'passed'> | null,
  deps: InterruptionDeps
): Promise<RegisteredInterruption | null> {
  for (const registered of deps.features.interruptions)
    if (await isDue(registered, signIn, resumed, deps)) return registered
  return null
}

/** Finds all interruptions that must still pass, in order. @throws Error as {@link findDueInterruption} */
export async function findDueInterruptions(
  signIn: PendingSignIn,
  resumed: Pick<PendingSignInState, 'passed'> | null,
  deps: InterruptionDeps
): Promise<readonly RegisteredInterruption[]> {
  const due: RegisteredInterruption[] = []
  for (const registered of deps.features.interruptions)
    if (await isDue(registered, signIn, resumed, deps)) due.push(registered)
  return due
}
