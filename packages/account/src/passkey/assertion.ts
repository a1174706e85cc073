import { hash } from 'node:crypto'
import { type FeatureContext, type FeatureRequest, getText, SignInError, type StoredUser } from '@postern/core/feature'
import { AccountPart } from '../account-parts.ts'
import { isTwoFactor } from '../two-factors.ts'
import { type AuthenticatorData, parseAuthenticatorData } from './authenticator-data.ts'
import { findChallenge } from './challenges.ts'
import { verifySignature } from './cose-signature.ts'
import { type CredentialResponse, getField, parseCredential } from './credential-response.ts'
import { loadHelpers } from './load-webauthn.ts'
import { reportCopy } from './notices.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import { findPasskey, redeemAndRecordUse } from './passkeys.ts'
import { getRelyingParty } from './relying-party.ts'
import type { Passkey } from './stored-passkey.ts'

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

/** The fields of a response that were signed, and the signature. */
interface SignedResponse {
  readonly clientData: Buffer
  readonly authenticatorData: Buffer
  readonly signature: Buffer
}

function toSignedResponse(credential: CredentialResponse): SignedResponse {
  const read = (name: string): Buffer => Buffer.from(getField(credential, name) ?? '', 'base64url')
  return {
    clientData: read('clientDataJSON'),
    authenticatorData: read('authenticatorData'),
    signature: read('signature')
  }
}

/** @returns Why a response is not for this domain or not of this kind, or `null`. */
function findProblem(
  { client }: CredentialResponse,
  data: AuthenticatorData,
  request: FeatureRequest,
  setup: PasskeySetup
): string | null {
  const { id, origins } = getRelyingParty(request, setup)
  if (client.type !== 'webauthn.get') return `expected the type webauthn.get, got ${client.type}`
  if (client.origin === null || !origins.includes(client.origin))
    return `expected the origin ${origins.join(' or ')}, got ${client.origin}`
  if (!data.rpIdHash.equals(hash('sha256', id, 'buffer'))) return `the response is not for the domain ${id}`
  if (!data.isUserPresent) return 'the user was not present'
  if (setup.userVerification === 'required' && !data.isUserVerified) return 'the user was not verified'
  return data.isBackedUp && !data.isBackupEligible ? 'the passkey is backed up, and cannot be' : null
}

/**
 * Verifies the type, the origin, the domain, the flags and the signature. @throws SignInError `PasskeyFailed`
 *
 * @see Web Authentication Level 3 §7.2, steps 10, 12, 15 to 18, 20 and 21; an attachment and extensions are optional, and not read
 */
async function verifyResponse(
  credential: CredentialResponse,
  { publicKey, userId }: Passkey,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<AuthenticatorData> {
  const { clientData, authenticatorData, signature } = toSignedResponse(credential)
  const data = parseAuthenticatorData(authenticatorData)
  if (!data) throw failed('the authenticator data is too short', userId)
  const problem = findProblem(credential, data, request, setup)
  if (problem !== null) throw failed(problem, userId)
  const signed = Buffer.concat([authenticatorData, hash('sha256', clientData, 'buffer')])
  const helpers = await loadHelpers()
  const isRight = await verifySignature(publicKey, { signed, signature }, helpers).catch((error: unknown) => {
    throw failed(String(error), userId)
  })
  if (!isRight) throw failed('the signature is wrong', userId)
  return data
}

/**
 * What the session states (RFC 8176). Only a passkey that was created by a verified user has a second factor: otherwise,
 * a thief of the authenticator may have set its PIN. @see Web Authentication Level 3, `uvInitialized`
 */
function getAmr({ isUserVerified }: AuthenticatorData, passkey: Passkey, { context }: PasskeySetup): readonly string[] {
  const key = passkey.isBackupEligible ? 'swk' : 'hwk'
  return isUserVerified && isTwoFactor(passkey, AccountPart.findAll(context)) ? [key, 'mfa'] : [key]
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
  const { challenge, isFramed } = credential.client
  const use = userId === null ? 'sign-in' : 'second-factor'
  if (!(await findChallenge(challenge, { use, userId }, request, challenges)))
    throw new SignInError('PasskeyExpired', 'this browser was not given the challenge, or more than 300 s ago')
  // Web Authentication Level 3 §7.2, steps 13 and 14: only if it is expected.
  if (isFramed) throw failed('the passkey was used in a frame of another site')
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
