import { type ActionResult, type FeatureRequest, getText, json, redirect } from '@postern/core/feature'
import { getAuthenticatorName } from './authenticator-names.ts'
import { algorithms } from './ceremony-options.ts'
import { findChallenge, redeemChallenge } from './challenges.ts'
import { type CredentialResponse, getField, getTransports, parseCredential } from './credential-response.ts'
import { showList } from './list.ts'
import { loadHelpers, loadWebAuthn } from './load-webauthn.ts'
import { issueCreationOptions } from './new-passkey.ts'
import { reportChange } from './notices.ts'
import type { PasskeyDeps } from './passkey-deps.ts'
import { normalizeName } from './passkey-name.ts'
import { findPasskey, listPasskeys } from './passkeys.ts'
import { getRelyingParty } from './relying-party.ts'
import { showUnavailable } from './screens.ts'
import { askToAuthenticate, findProblem, type PasskeyUser, readUser } from './signed-in-user.ts'
import { getPasskeyId, type Passkey, type PasskeyData, passkeyKey } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** The options for a script of the application, such as `addPasskey()` of `@postern/react`. */
export async function sendCreationOptions(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  const found = await readUser(request, deps)
  if (!found) return showUnavailable(request)
  if (!found.isFresh) return askToAuthenticate(request)
  const passkeys = await listPasskeys(found.user.id, deps)
  const problem = findProblem(found, passkeys)
  if (problem) return showList(request, deps, problem)
  const { options, cookies } = await issueCreationOptions(found, passkeys, request, deps)
  return json({ options }, cookies)
}

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

/** Verifies what the authenticator returned. @returns `null` if it is invalid */
async function verifyResponse(
  credential: CredentialResponse,
  handle: string,
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<PasskeyData | null> {
  const { id, origins } = getRelyingParty(request, deps)
  if (!(await hasNoCertificate(credential))) {
    deps.context.logger.warn('PASSKEY_REFUSED', { ref: request.id, message: 'expected no attestation' })
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
    requireUserVerification: deps.userVerification === 'required',
    supportedAlgorithmIDs: [...algorithms]
  }).catch((error: unknown) => {
    deps.context.logger.warn('PASSKEY_REFUSED', { ref: request.id, message: String(error) })
    return { verified: false } as const
  })
  // The id is looked up as the browser sends it.
  if (!verified.verified || verified.registrationInfo.credential.id !== credential.id) return null
  const {
    aaguid,
    credential: created,
    userVerified,
    credentialDeviceType,
    credentialBackedUp
  } = verified.registrationInfo
  return {
    credentialId: created.id,
    publicKey: Buffer.from(created.publicKey).toString('base64url'),
    counter: created.counter,
    transports: getTransports(credential),
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    aaguid: /[1-9a-f]/.test(aaguid) ? aaguid : null,
    handle,
    isUserVerified: userVerified
  }
}

/** The passkey that a form contains, or why it is refused. */
async function readNewPasskey(
  { user }: PasskeyUser,
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<{ readonly data: PasskeyData } | { readonly problem: TextKey }> {
  const { context } = deps
  const credential = parseCredential(getText(request.body, 'credential'))
  if (!credential || credential.client.crossOrigin) return { problem: 'failed' }
  const { challenge } = credential.client
  const purpose = await findChallenge(challenge, user.id, request, context)
  if (!purpose) return { problem: 'expired' }
  const data = await verifyResponse(credential, purpose.handle, request, deps)
  if (!data) return { problem: 'failed' }
  if (!(await redeemChallenge(challenge, context))) return { problem: 'expired' }
  return (await findPasskey(data.credentialId, deps)) ? { problem: 'exists' } : { data }
}

/**
 * Whether a new passkey may count as two factors. If another one does, only a session with two factors adds the next: someone
 * who knows the password must not get `mfa` with an authenticator of their own.
 */
async function mayProveTwoFactors(passkeys: readonly Passkey[], request: FeatureRequest): Promise<boolean> {
  if (!passkeys.some(({ isUserVerified }) => isUserVerified)) return true
  return (await request.getAuthentication())?.amr.includes('mfa') ?? false
}

/** Adds a passkey to the signed-in user. */
export async function addPasskey(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  const { factors, now } = deps.context
  const found = await readUser(request, deps)
  if (!found) return showUnavailable(request)
  if (!found.isFresh) return askToAuthenticate(request)
  const { user } = found
  const passkeys = await listPasskeys(user.id, deps)
  const problem = findProblem(found, passkeys)
  if (problem) return showList(request, deps, problem)
  const read = await readNewPasskey(found, request, deps)
  if ('problem' in read) return showList(request, deps, read.problem)
  const data = {
    ...read.data,
    isUserVerified: read.data.isUserVerified && (await mayProveTwoFactors(passkeys, request))
  }
  const name = normalizeName(getText(request.body, 'name')) ?? getAuthenticatorName(data.aaguid) ?? 'Passkey'
  const id = await getPasskeyId(data.credentialId)
  const about = { userId: user.id, name, lastUsedAt: null, version: 0, createdAt: new Date(now()) }
  await factors.create({ ...passkeyKey(id), ...about, data: JSON.stringify(data) })
  try {
    await request.confirmUser()
  } catch (error) {
    // The session was ended, or the user deleted, while the passkey was created.
    await factors.delete(passkeyKey(id))
    throw error
  }
  await reportChange('added', { passkey: { id, name }, user }, request, deps)
  return redirect(`${request.origin}${request.basePath}/passkeys`)
}
