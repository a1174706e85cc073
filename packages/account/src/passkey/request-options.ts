import type { FeatureRequest, SetCookies } from '@postern/core/feature'
import { createRequestOptions, type RequestOptions } from './ceremony-options.ts'
import { type ChallengePurpose, issueChallenge } from './challenges.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import { getRelyingParty } from './relying-party.ts'
import type { Passkey } from './stored-passkey.ts'

/** Issues the options for the use of a passkey, and the cookie with their challenge. @param passkeys - Empty for any. */
export async function issueRequestOptions(
  purpose: Pick<ChallengePurpose, 'use' | 'userId'>,
  passkeys: readonly Passkey[],
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<{ readonly options: RequestOptions; readonly cookies: SetCookies }> {
  const { context, userVerification } = setup
  const { id: rpId } = getRelyingParty(request, setup)
  const { value: challenge, cookies } = await issueChallenge({ ...purpose, handle: '' }, request, context)
  return { options: createRequestOptions({ challenge, rpId, userVerification }, passkeys), cookies }
}
