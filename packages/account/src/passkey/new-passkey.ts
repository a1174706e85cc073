import type { FeatureRequest, SetCookies } from '@postern/core/feature'
import type { SignedInUser } from '../signed-in-user.ts'
import { type CreationOptions, createCreationOptions } from './ceremony-options.ts'
import { type ChallengePurpose, issueChallenge } from './challenges.ts'
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

/** Whose passkey is created. */
interface PasskeyOwner extends ChallengePurpose {
  /** @defaultValue the domain */
  readonly name: string | null
  /** @defaultValue the name */
  readonly displayName: string | null
  readonly passkeys: readonly Passkey[]
}

async function issueOptions(
  { use, userId, handle, passkeys, ...owner }: PasskeyOwner,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<IssuedOptions> {
  const { context, userVerification } = setup
  const { id: rpId } = getRelyingParty(request, setup)
  const { value: challenge, cookies } = await issueChallenge({ use, userId, handle }, request, context)
  const name = owner.name ?? rpId
  const about = { handle, name, displayName: owner.displayName ?? name, passkeys }
  return { options: createCreationOptions({ challenge, rpId, userVerification }, about), cookies }
}

/** Issues the options for a new passkey of a user. Nothing is stored. */
export function issueCreationOptions(
  { user }: SignedInUser,
  passkeys: readonly Passkey[],
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<IssuedOptions> {
  // All passkeys of a user have the same handle.
  const handle = passkeys.find((known) => known.handle !== null)?.handle ?? createHandle(setup)
  const name = user.email ?? user.name ?? null
  const displayName = user.name ?? null
  return issueOptions({ use: 'add', userId: user.id, handle, passkeys, name, displayName }, request, setup)
}

/**
 * Issues the options for the passkey of a user who does not exist yet. Nothing is stored, and nothing depends on the address.
 *
 * @param email - The address; `null` if it is typed later: the script of the page sets the name then.
 */
export function issueSignUpOptions(
  email: string | null,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<IssuedOptions> {
  const handle = createHandle(setup)
  const owner = { use: 'sign-up', userId: null, handle, passkeys: [], name: email, displayName: null } as const
  return issueOptions(owner, request, setup)
}
