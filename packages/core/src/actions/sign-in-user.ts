import { withUserId } from '../accounts/invalid-user-id.ts'
import type { AdapterUser } from '../adapter/adapter.ts'
import type { Config } from '../config/config.ts'
import { AccountError } from '../errors/account-error.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { AuthRequest } from '../http/request.ts'
import { applicationProvider } from '../model/application-provider.ts'
import { authenticatedNow } from '../model/authentication.ts'
import type { Identity } from '../model/identity.ts'
import { plainProof } from '../sign-in-methods/handler.ts'
import { SignIn, type SignInOutcome } from './sign-in.ts'

/** What the application states about a sign-in. */
export interface VerifiedSignIn {
  readonly amr: readonly string[]
  /** `null` for the one that the request contains. */
  readonly callbackUrl: string | null
  /** When the application began to verify the user, in milliseconds since 1970. */
  readonly startedAt: number
}

/** @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER`, `INVALID_USER_ID` */
async function requireStoredUser(userId: string, { store }: Config): Promise<AdapterUser> {
  if (!store) throw new AccountError('ADAPTER_INCOMPLETE', 'signIn: expected an adapter, which stores the users')
  const user = await withUserId('signIn', () => store.getUser(userId))
  if (!user) throw new AccountError('UNKNOWN_USER', 'signIn: there is no user with this id')
  return user
}

function toIdentity({ id, name = null, email = null, image = null }: AdapterUser): Identity {
  const account = { provider: applicationProvider.id, type: applicationProvider.type, providerAccountId: id }
  return { account, row: account, user: { id, name, email, image }, emailVerified: false, profile: null }
}

/**
 * Signs in a user whom the application has verified, by the steps of every sign-in: authorize, plan, interrupt, write.
 *
 * @throws AuthError if the sign-in is refused; AccountError `UNKNOWN_USER`, `INVALID_USER_ID`, `ADAPTER_INCOMPLETE`
 */
export async function signInUser(
  request: AuthRequest,
  userId: string,
  { amr, callbackUrl, startedAt }: VerifiedSignIn,
  config: Config
): Promise<SignInOutcome> {
  const identity = toIdentity(await requireStoredUser(userId, config))
  const authentication = authenticatedNow(applicationProvider.id, amr, config.runtime.now())
  const proof = { ...plainProof, identity, authentication, callbackUrl, submittedAt: startedAt }
  try {
    const stepUp = await config.stepUps.read(request.cookies)
    const attempt = { proof, provider: applicationProvider, request, resumed: null, stepUp }
    return await new SignIn(attempt, config).run()
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new AuthError('Callback', 'the sign-in could not be completed', { cause: error, status: 500 })
  }
}
