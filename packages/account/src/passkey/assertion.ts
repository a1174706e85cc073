import { type FeatureContext, type FeatureRequest, getText, SignInError, type StoredUser } from '@postern/core/feature'
import { isTwoFactor } from '../two-factors.ts'
import { findChallenge } from './challenges.ts'
import { type CredentialResponse, getField, parseCredential } from './credential-response.ts'
import { loadWebAuthn } from './load-webauthn.ts'
import { reportCopy } from './notices.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import { findPasskey, redeemAndRecordUse } from './passkeys.ts'
import { getRelyingParty } from './relying-party.ts'
import type { Passkey, PasskeyUse } from './stored-passkey.ts'

/** @param userId - The owner of the passkey, for the audit log. */
const failed = (message: string, userId: string | null = null): SignInError =>
  new SignInError('PasskeyFailed', message, { userId })

/** The passkey of a response, and its user. */
interface PasskeyOwner {
  readonly passkey: Passkey
  /** Read before the use of the passkey was recorded. */
  readonly found: StoredUser
}

/**
 * Whether the user handle is that of the owner. A sign-in needs it, because nothing else names the user; a known user may leave
 * it out, as security keys do; Safari and Android then state an empty one. @see Web Authentication Level 3 §7.2, step 6
 */
function hasOwnersHandle({ response }: CredentialResponse, { handle }: Passkey, isUserKnown: boolean): boolean {
  const stated = response['userHandle'] ?? ''
  // Auth.js keeps no user handles.
  return handle === null || (stated === '' ? isUserKnown : stated === handle)
}

/** @throws SignInError `PasskeyUnknown` if it was removed or its user deleted, `PasskeyFailed` if it states another user */
async function findOwner(
  credential: CredentialResponse,
  isUserKnown: boolean,
  setup: PasskeySetup
): Promise<PasskeyOwner> {
  const passkey = await findPasskey(credential.id, setup)
  const found = passkey && (await setup.context.findUser({ userId: passkey.userId }))
  if (!passkey || !found) throw new SignInError('PasskeyUnknown', 'the passkey is not stored, or its user')
  if (!hasOwnersHandle(credential, passkey, isUserKnown))
    throw failed('the user handle is not that of the owner of the passkey', found.user.id)
  return { passkey, found }
}

/** What the authenticator has signed. */
interface VerifiedUse extends PasskeyUse {
  readonly isUserVerified: boolean
  readonly isBackupEligible: boolean
}

/**
 * Verifies the signature, the origin, the domain and the flags. @throws SignInError `PasskeyFailed`
 *
 * @see Web Authentication Level 3 §7.2, steps 10 to 21; an attachment, extensions and `topOrigin` are optional, and not read
 */
async function verifyResponse(
  credential: CredentialResponse,
  { credentialId, publicKey, userId }: Passkey,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<VerifiedUse> {
  const { id, origins } = getRelyingParty(request, setup)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const response = {
    authenticatorData: getField(credential, 'authenticatorData') ?? '',
    clientDataJSON: getField(credential, 'clientDataJSON') ?? '',
    signature: getField(credential, 'signature') ?? ''
  }
  const verified = await verifyAuthenticationResponse({
    response: { id: credential.id, rawId: credential.id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: credential.client.challenge,
    expectedOrigin: [...origins],
    expectedRPID: id,
    requireUserVerification: setup.userVerification === 'required',
    // The counter is compared when it is written.
    credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 }
  }).catch((error: unknown) => {
    throw failed(error instanceof Error ? error.message : 'the response is invalid', userId)
  })
  if (!verified.verified) throw failed('the signature is wrong', userId)
  const { newCounter, userVerified, credentialDeviceType, credentialBackedUp } = verified.authenticationInfo
  return {
    counter: newCounter,
    isUserVerified: userVerified,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp
  }
}

/**
 * What the session states (RFC 8176). Only a passkey that was created by a verified user has a second factor: otherwise,
 * a thief of the authenticator may have set its PIN. @see Web Authentication Level 3, `uvInitialized`
 */
function getAmr({ isUserVerified }: VerifiedUse, passkey: Passkey, { context }: PasskeySetup): readonly string[] {
  const key = passkey.isBackupEligible ? 'swk' : 'hwk'
  return isUserVerified && isTwoFactor(passkey, context) ? [key, 'mfa'] : [key]
}

/** Who may use a passkey. */
interface AssertionPurpose {
  /** The only user whose passkeys are accepted; `null` for a sign-in, which any user may complete. */
  readonly userId: string | null
  /** What the challenge was issued with. */
  readonly challenges: FeatureContext
}

/** A passkey that was used, and what the session may state about it. */
export interface VerifiedAssertion extends PasskeyOwner {
  readonly amr: readonly string[]
}

/**
 * Verifies the field `credential` of a request, uses up its challenge, and records the use of the passkey.
 *
 * @throws SignInError `PasskeyChanged`, `PasskeyExpired`, `PasskeyFailed`, `PasskeyUnknown`
 */
export async function verifyAssertion(
  request: FeatureRequest,
  setup: PasskeySetup,
  { userId, challenges }: AssertionPurpose
): Promise<VerifiedAssertion> {
  const credential = parseCredential(getText(request.body, 'credential'))
  if (!credential) throw failed('expected the field credential, which the script of the page sends')
  const { challenge, crossOrigin } = credential.client
  const use = userId === null ? 'sign-in' : 'second-factor'
  if (!(await findChallenge(challenge, { use, userId }, request, challenges)))
    throw new SignInError('PasskeyExpired', 'this browser was not given the challenge, or more than 300 s ago')
  // Web Authentication Level 3 §7.2, step 10: only if it is expected.
  if (crossOrigin) throw failed('the passkey was used in a frame of another site')
  const { passkey, found } = await findOwner(credential, userId !== null, setup)
  const { user } = found
  if (userId !== null && passkey.userId !== userId) throw failed('the passkey belongs to another user')
  const signed = await verifyResponse(credential, passkey, request, setup)
  // It never changes (§6.1.3), so that another attempt does not help.
  if (signed.isBackupEligible !== passkey.isBackupEligible)
    throw new SignInError('PasskeyChanged', 'the backup eligibility has changed', { userId: user.id })
  const { counter, isBackedUp } = signed
  const issued = { value: challenge, context: challenges }
  // What was read before the version may have changed since.
  const used = await redeemAndRecordUse(passkey, { counter, isBackedUp }, issued, setup)
  if (used === 'expired') throw new SignInError('PasskeyExpired', 'the challenge was used', { userId: user.id })
  if (used === 'copied') {
    await reportCopy({ passkey, user }, request, setup)
    throw failed('the counter went backwards: the passkey may have been copied', user.id)
  }
  if (used === 'gone' || used.userId !== user.id) throw new SignInError('PasskeyUnknown', 'the passkey was removed')
  return { passkey: used, found, amr: getAmr(signed, used, setup) }
}
