import { type FeatureRequest, getText } from '@postern/core/feature'
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { algorithms } from './ceremony-options.ts'
import { type ChallengePurpose, findChallenge, redeemChallenge } from './challenges.ts'
import { type CredentialResponse, getField, getTransports, parseCredential } from './credential-response.ts'
import { loadHelpers, loadWebAuthn } from './load-webauthn.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import { findPasskey } from './passkeys.ts'
import { getRelyingParty } from './relying-party.ts'
import type { PasskeyData } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/**
 * Whether an authenticator stated no certificate, as it was asked to: to verify one, the package would request the URLs that
 * the certificate names. @see Web Authentication Level 3 §5.4.7, `none`
 */
async function hasNoCertificate(credential: CredentialResponse): Promise<boolean> {
  const { decodeAttestationObject } = await loadHelpers()
  try {
    const bytes = new Uint8Array(Buffer.from(getField(credential, 'attestationObject') ?? '', 'base64url'))
    const decoded = decodeAttestationObject(bytes)
    const format = decoded.get('fmt')
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

type RegistrationInfo = Extract<VerifiedRegistrationResponse, { verified: true }>['registrationInfo']

function toPasskeyData(
  { aaguid, credential: created, userVerified, credentialDeviceType, credentialBackedUp }: RegistrationInfo,
  known: Pick<PasskeyData, 'handle' | 'transports'>
): PasskeyData {
  return {
    credentialId: created.id,
    publicKey: Buffer.from(created.publicKey).toString('base64url'),
    counter: created.counter,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    aaguid: /[1-9a-f]/.test(aaguid) ? aaguid : null,
    isUserVerified: userVerified,
    isOwnerProven: false,
    ...known
  }
}

/** Verifies what the authenticator returned. @returns `null` if it is invalid */
async function verifyResponse(
  credential: CredentialResponse,
  { handle, isConditional }: { readonly handle: string; readonly isConditional: boolean },
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<PasskeyData | null> {
  const { id, origins } = getRelyingParty(request, setup)
  if (!(await hasNoCertificate(credential))) {
    setup.context.logger.warn('PASSKEY_REFUSED', { ref: request.id, message: 'expected no attestation' })
    return null
  }
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const response = {
    clientDataJSON: getField(credential, 'clientDataJSON') ?? '',
    attestationObject: getField(credential, 'attestationObject') ?? ''
  }
  const verified = await verifyRegistrationResponse({
    response: { id: credential.id, rawId: credential.id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: credential.client.challenge,
    expectedOrigin: [...origins],
    expectedRPID: id,
    // §7.1, step 15: the browser has asked nobody.
    requireUserPresence: !isConditional,
    requireUserVerification: setup.userVerification === 'required',
    supportedAlgorithmIDs: [...algorithms]
  }).catch((error: unknown) => {
    setup.context.logger.warn('PASSKEY_REFUSED', { ref: request.id, message: String(error) })
    return { verified: false } as const
  })
  // Web Authentication Level 3 §7.1, step 25; the id is looked up as the browser sends it.
  if (!verified.verified || verified.registrationInfo.credential.id !== credential.id) return null
  return toPasskeyData(verified.registrationInfo, { handle, transports: getTransports(credential) })
}

/** What a new passkey is created for. */
interface NewPasskeyPurpose extends Pick<ChallengePurpose, 'use' | 'userId'> {
  /** Whether the browser may have created it without a question (`mediation: 'conditional'`). @defaultValue `false` */
  readonly isConditional?: boolean
}

/**
 * Reads the new passkey that a form contains, and uses up its challenge.
 *
 * @returns The passkey, or why it is refused.
 */
export async function readNewPasskey(
  { isConditional = false, ...purpose }: NewPasskeyPurpose,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<{ readonly data: PasskeyData } | { readonly problem: TextKey }> {
  const { context } = setup
  const credential = parseCredential(getText(request.body, 'credential'))
  // §7.1, step 10: a frame of another site only if it is expected.
  if (!credential || credential.client.isFramed) return { problem: 'failed' }
  const { challenge } = credential.client
  const issued = await findChallenge(challenge, purpose, request, context)
  if (!issued) return { problem: 'expired' }
  const data = await verifyResponse(credential, { handle: issued.handle, isConditional }, request, setup)
  if (!data) return { problem: 'failed' }
  if (!(await redeemChallenge({ value: challenge, context }))) return { problem: 'expired' }
  return (await findPasskey(data.credentialId, setup)) ? { problem: 'exists' } : { data }
}
