import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { StepUp } from '../features/step-up.ts'
import { redirect } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import { normalizeEmailAddress } from '../model/normalize-email-address.ts'
import { startEmail } from './email-start.ts'
import { verifyEmail } from './email-verify.ts'
import type { ProviderHandler } from './handler.ts'
import { requireStore } from './one-time-token.ts'

/** The user who has to authenticate again, and the address that the store has of them. */
interface ConfirmingUser {
  readonly stepUp: StepUp
  readonly email: string
}

/** @returns The address of a stored user that a code can be mailed to; `null` if there is none. */
export async function findConfirmationAddress(
  { userId }: Pick<StepUp, 'userId'>,
  { store }: Pick<Config, 'store'>
): Promise<string | null> {
  const user = await store?.getUser(userId)
  return user?.email ? normalizeEmailAddress(user.email) : null
}

async function findUser(
  request: AuthRequest,
  config: Pick<Config, 'store' | 'stepUps'>
): Promise<ConfirmingUser | null> {
  const stepUp = await config.stepUps.read(request.cookies)
  const email = stepUp && (await findConfirmationAddress(stepUp, config))
  return stepUp && email !== null ? { stepUp, email } : null
}

/**
 * Confirms a signed-in user with a code that is mailed to their address: nobody signs in, signs up or takes over a user by it.
 * An address that nobody has verified counts too, as its owner could take over the user, and the session is that of the user.
 */
export const mailedConfirmation: ProviderHandler<'email'> = {
  start: async (provider, request, config) => {
    const found = await findUser(request, config)
    if (!found) return redirect(`${config.base}/signin?error=SessionRequired`, new Map(), 401)
    // The application's own page has no field for a code.
    const pages = { ...config.pages, verifyRequest: null }
    return startEmail(provider, { ...request, body: { ...request.body, email: found.email } }, { ...config, pages })
  },
  verify: async (provider: EmailProvider, request, config) => {
    const found = await findUser(request, config)
    if (!found) throw new AuthError('Callback', `${provider.id}: no signed-in user has to authenticate again`)
    const verified = await verifyEmail(provider, request, config)
    if (verified.kind === 'result') return verified
    const { proof } = verified
    const { identity } = proof
    const user = await requireStore(config).getUser(found.stepUp.userId)
    if (!user || identity.user.email !== found.email)
      throw new AuthError(
        'Verification',
        `${provider.id}: the code was mailed to another address than that of the user`
      )
    return {
      kind: 'proof',
      proof: {
        ...proof,
        identity: { ...identity, user, emailVerified: false },
        isStepUp: true,
        // What the store says of the user is read again, as after a password.
        submittedAt: config.runtime.now()
      }
    }
  }
}
