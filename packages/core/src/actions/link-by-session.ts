import type { ResolvedUser } from '../accounts/resolved-user.ts'
import { accountChanged } from '../accounts/sign-in-errors.ts'
import type { UserVersion } from '../adapter/user-version.ts'
import type { Config } from '../config/config.ts'
import { limitAccessChange } from '../features/user-limit.ts'
import type { User } from '../model/user.ts'
import { findDeviceByUser } from '../sign-in-methods/known-device.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'

/** The user of a link, and their row as it was read; `null` after the link, or if the adapter stores none. */
interface LinkedUser {
  readonly user: Pick<User, 'id'>
  readonly row: UserVersion | null
}

/**
 * Requires that the session that allows a link is one of the user at the version that was read. With database sessions, the
 * transaction requires it.
 *
 * @throws AuthError `OAuthAccountNotLinked`, `StoreUnavailable`
 */
export async function requireLinkingSession(
  { provider, request }: SignInAttempt,
  { user, row }: LinkedUser,
  { sessionReader, sessions, revocations, isDatabaseSession }: Config
): Promise<void> {
  // What is revoked states each end.
  const isRead = isDatabaseSession || revocations !== null || row === null
  const isAllowed = async (): Promise<boolean> => {
    if (isRead) return (await sessionReader.readUserUncached(request.cookies))?.userId === user.id
    const acting = await sessions.act(request.cookies)
    return acting?.userId === user.id && acting.isAllowed(row)
  }
  if (!(await isAllowed())) throw accountChanged(provider.id)
}

/** Counts a link among the changes that the sessions of a user make, once. @throws AuthError `RateLimited` */
export async function limitLinks(
  { request, isRestarted }: SignInAttempt,
  { user, row }: LinkedUser,
  config: Config
): Promise<void> {
  if (isRestarted) return
  const device = await findDeviceByUser(user.id, request.cookies, config, row)
  await limitAccessChange({ userId: user.id, device }, config.limits?.limiter ?? null)
}

/** Checks without a transaction that the session that allowed a link has not ended, and takes the link back otherwise. */
export async function requireLinkStays(
  attempt: SignInAttempt,
  { user, account }: ResolvedUser,
  config: Config
): Promise<void> {
  const { store, userVersions } = config
  try {
    await requireLinkingSession(attempt, { user, row: null }, config)
  } catch (error) {
    const { provider, providerAccountId } = account
    await store?.unlinkAccount?.({ provider, providerAccountId })
    // Somebody may have signed in with the account.
    if (store?.versions)
      await userVersions.change({ userId: user.id, raises: true, isForced: true }, async () => undefined)
    throw error
  }
}
