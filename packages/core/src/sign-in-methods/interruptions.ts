import type { Config } from '../config/config.ts'
import { withTimeout } from '../errors/user-code.ts'
import type { PendingSignIn } from '../features/feature.ts'
import type { PendingSignInState } from '../features/interrupted-sign-ins.ts'
import type { RegisteredInterruption } from '../features/registered-feature.ts'
import type { StepUp } from '../features/step-up.ts'
import type { AuthRequest } from '../http/request.ts'
import { type Authentication, toAuthentication, unknownAuthentication } from '../model/authentication.ts'
import type { Provider } from '../model/provider.ts'
import { isSameEmailAddress } from '../model/same-email.ts'
import type { User } from '../model/user.ts'
import { createFeatureRequest } from './feature-request.ts'
import type { Proof } from './handler.ts'
import { findDeviceByUser } from './known-device.ts'

/** A verified sign-in, with the request that completes it. */
interface VerifiedSignIn {
  readonly proof: Pick<Proof, 'authentication' | 'identity'>
  readonly provider: Provider
  readonly stepUp: StepUp | null
  readonly request: AuthRequest
}

/** What was planned for a sign-in. */
interface Planned extends Pick<PendingSignIn, 'id' | 'userVersion' | 'isReclaim' | 'link' | 'linkingSession'> {
  /** `null` for a new one. */
  readonly user: User | null
}

/** What interruptions know about a sign-in. */
export function toPendingSignIn(
  { proof, provider, stepUp, request }: VerifiedSignIn,
  { id, userVersion, user, isReclaim, link, linkingSession }: Planned,
  config: Config
): PendingSignIn {
  const { account, user: profile, emailVerified } = proof.identity
  const known = user ?? profile
  const { provesMailbox, mayRedeemInvitation: isTrusted } = provider.traits
  // The address of the user may have changed since.
  const isSameAddress = isSameEmailAddress(known.email, profile.email)
  return {
    id,
    userVersion,
    user: known,
    isNewUser: user === null,
    account,
    profile,
    isReclaim,
    link,
    isStepUp: stepUp !== null,
    linkingSession,
    requiredAmr: stepUp?.amr ?? [],
    authentication: toAuthentication(proof.authentication, known.id),
    provesMailbox,
    // A new user gets a verified address if the method states that it is proven.
    provesAddress: isSameAddress && (provesMailbox || ((isTrusted || user === null) && emailVerified)),
    getKnownDevice: async () => (user ? findDeviceByUser(user.id, request.cookies, config) : null)
  }
}

/**
 * Reads how the user was authenticated whose session allows a link: unknown if the session has ended, which refuses the link
 * when the sign-in continues.
 */
export async function readLinkingSession(
  { cookies }: Pick<AuthRequest, 'cookies'>,
  { user, provider }: { readonly user: User | null; readonly provider: Provider },
  { sessionReader }: Config
): Promise<Authentication> {
  const authentication = await sessionReader.readAuthentication(cookies)
  return authentication ?? toAuthentication(unknownAuthentication(provider.id), user?.id ?? '')
}

/** A sign-in, with what its interruptions are asked with. */
export interface AskedSignIn {
  readonly signIn: PendingSignIn
  readonly request: AuthRequest
  readonly resumed: Pick<PendingSignInState, 'passed'> | null
}

/** Whether an interruption must pass. Anything except `false` interrupts: a mistake in the function must not open the gate. */
async function isDue(
  { interruption, feature }: RegisteredInterruption,
  { signIn, request, resumed }: AskedSignIn,
  config: Config
): Promise<boolean> {
  if (resumed?.passed.includes(interruption.id)) return false
  const result = await withTimeout(
    `features.${feature.id}: ${interruption.id}.isDue`,
    interruption.isDue(signIn, createFeatureRequest(request, feature, config)),
    config.constants.callbackTimeoutMilliseconds
  )
  return result !== false
}

/**
 * Finds the first interruption that must pass before the session is created. Every way to sign in asks it.
 *
 * @throws Error if an interruption fails or does not respond: the sign-in is refused.
 */
export async function findDueInterruption(asked: AskedSignIn, config: Config): Promise<RegisteredInterruption | null> {
  for (const registered of config.features.interruptions) if (await isDue(registered, asked, config)) return registered
  return null
}

/** Finds all interruptions that must still pass, in order. @throws Error as {@link findDueInterruption} */
export async function findDueInterruptions(
  asked: AskedSignIn,
  config: Config
): Promise<readonly RegisteredInterruption[]> {
  const due: RegisteredInterruption[] = []
  for (const registered of config.features.interruptions)
    if (await isDue(registered, asked, config)) due.push(registered)
  return due
}
