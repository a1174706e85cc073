import type { FeatureRequest, SetCookies } from '@postern/core/feature'
import type { SignedInUser } from '../signed-in-user.ts'
import { type CreationOptions, createCreationOptions } from './ceremony-options.ts'
import { issueChallenge } from './challenges.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import { getRelyingParty } from './relying-party.ts'
import type { Passkey } from './stored-passkey.ts'

/** The options for a new passkey, and the cookie with its challenge. */
export interface IssuedOptions {
  readonly options: CreationOptions
  readonly cookies: SetCookies
}

/** A random handle: it tells nothing about the user, and the authenticator keeps it. */
const createHandle = ({ context }: PasskeySetup): string => Buffer.from(context.randomBytes(32)).toString('base64url')

/** Issues the options for a new passkey of a user. Nothing is stored. */
export async function issueCreationOptions(
  { user }: SignedInUser,
  passkeys: readonly Passkey[],
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<IssuedOptions> {
  const { context, userVerification } = setup
  const { id: rpId } = getRelyingParty(request, setup)
  // All passkeys of a user have the same handle.
  const handle = passkeys.find((known) => known.handle !== null)?.handle ?? createHandle(setup)
  const purpose = { use: 'add', userId: user.id, handle } as const
  const { value: challenge, cookies } = await issueChallenge(purpose, request, context)
  const name = user.email ?? user.name ?? rpId
  const about = { handle, name, displayName: user.name ?? name, passkeys }
  return { options: createCreationOptions({ challenge, rpId, userVerification }, about), cookies }
}

/**
 * Issues the options for the passkey of a user who does not exist yet. Nothing is stored, and nothing depends on the address.
 *
 * @param email - The address; `null` if it is typed later: the script of the page sets the name then.
 */
export async function issueSignUpOptions(
  email: string | null,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<IssuedOptions> {
  const { context, userVerification } = setup
  const { id: rpId } = getRelyingParty(request, setup)
  const handle = createHandle(setup)
  const purpose = { use: 'sign-up', userId: null, handle } as const
  const { value: challenge, cookies } = await issueChallenge(purpose, request, context)
  const name = email ?? rpId
  const about = { handle, name, displayName: name, passkeys: [] }
  return { options: createCreationOptions({ challenge, rpId, userVerification }, about), cookies }
}
