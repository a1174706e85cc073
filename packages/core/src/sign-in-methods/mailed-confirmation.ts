import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { StepUp } from '../features/step-up.ts'
import { redirect } from '../http/action-result.ts'
import { normalizeEmailAddress } from '../model/normalize-email-address.ts'
import { startEmail } from './email-start.ts'
import { verifyEmail } from './email-verify.ts'
import type { ProviderHandler } from './handler.ts'
import { requireStore } from './one-time-token.ts'

/** @returns The address of a stored user that a code can be mailed to; `null` if there is none. */
export async function findConfirmationAddress(
  { userId }: Pick<StepUp, 'userId'>,
  { store }: Config
): Promise<string | null> {
  const user = await store?.getUser(userId)
  return user?.email ? normalizeEmailAddress(user.email) : null
}

/**
 * Confirms a signed-in user with a code that is mailed to their address: nobody signs in, signs up or reclaims a user by it.
 * An address that nobody has verified counts too, as its owner could take over the user, and the session is that of the user.
 */
export const mailedConfirmation: ProviderHandler<'email'> = {
  start: async (provider, request, config) => {
    const stepUp = await config.stepUps.read(request.cookies)
    const email = stepUp && (await findConfirmationAddress(stepUp, config))
    if (!email) return redirect(`${config.base}/signin?error=SessionRequired`, new Map(), 401)
    // The application's own page has no field for a code.
    const pages = { ...config.pages, verifyRequest: null }
    return startEmail(provider, { ...request, body: { ...request.body, email } }, { ...config, pages })
  },
  verify: async (provider, request, config) => {
    const stepUp = await config.stepUps.read(request.cookies)
    if (!stepUp) throw new AuthError('Callback', `${provider.id}: no signed-in user has to authenticate again`)
    // Before the code is compared: what ends the sessions of the user from now on ends the sign-in, too.
    const found = await requireStore(config).findUser({ userId: stepUp.userId })
    const verified = await verifyEmail(provider, request, config)
    if (verified.kind === 'result') return verified
    const { proof } = verified
    const { identity } = proof
    const email = found?.user.email
    if (!found || !email || normalizeEmailAddress(email) !== identity.user.email)
      throw new AuthError(
        'Verification',
        `${provider.id}: the code was mailed to another address than that of the user`
      )
    return {
      kind: 'proof',
      proof: {
        ...proof,
        identity: { ...identity, user: { ...found.user }, emailVerified: false },
        isStepUp: true,
        submittedAt: config.runtime.now(),
        userVersion: found.version.version,
        found
      }
    }
  }
}
