import type { FeatureRequest, SetCookies } from '@postern/core/feature'
import { type CreationOptions, createCreationOptions } from './ceremony-options.ts'
import { issueChallenge } from './challenges.ts'
import type { PasskeyDeps } from './passkey-deps.ts'
import { getRelyingParty } from './relying-party.ts'
import type { PasskeyUser } from './signed-in-user.ts'
import type { Passkey } from './stored-passkey.ts'

/** Issues the options for a new passkey, and the cookie with its challenge. Nothing is stored. */
export async function issueCreationOptions(
  { user }: PasskeyUser,
  passkeys: readonly Passkey[],
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<{ readonly options: CreationOptions; readonly cookies: SetCookies }> {
  const { context, userVerification } = deps
  const { id: rpId } = getRelyingParty(request, deps)
  // A random handle, the same for all passkeys of a user: it tells nothing about the user, and the authenticator keeps it.
  const known = passkeys.find(({ handle }) => handle !== null)?.handle
  const handle = known ?? Buffer.from(context.randomBytes(32)).toString('base64url')
  const { value: challenge, cookies } = await issueChallenge({ userId: user.id, handle }, request, context)
  const name = user.email ?? user.name ?? rpId
  const about = { handle, name, displayName: user.name ?? name, passkeys }
  return { options: createCreationOptions({ challenge, rpId, userVerification }, about), cookies }
}
