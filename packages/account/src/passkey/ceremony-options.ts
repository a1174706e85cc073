import type { Passkey } from './stored-passkey.ts'

/** A passkey in the options of a ceremony. */
export interface ListedCredential {
  readonly type: 'public-key'
  readonly id: string
  readonly transports: readonly string[]
}

/** `PublicKeyCredentialRequestOptionsJSON`, as far as it is used. */
export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
  /** Milliseconds. */
  readonly timeout: number
  readonly userVerification: 'preferred' | 'required'
  /** Empty for a sign-in: the user chooses among the passkeys that the authenticator has for the domain. */
  readonly allowCredentials: readonly ListedCredential[]
}

/** `PublicKeyCredentialCreationOptionsJSON`, as far as it is used. */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[]
  readonly timeout: number
  readonly attestation: 'none'
  readonly authenticatorSelection: {
    readonly residentKey: 'required'
    readonly requireResidentKey: true
    readonly userVerification: 'preferred' | 'required'
  }
  readonly excludeCredentials: readonly ListedCredential[]
}

/** Milliseconds: the lifetime of a challenge. */
const timeout = 300_000

/** Ed25519, ES256 and RS256 (COSE), the most wanted first. */
export const algorithms: readonly number[] = [-8, -7, -257]

const toCredential = ({ credentialId, transports }: Passkey): ListedCredential => ({
  type: 'public-key',
  id: credentialId,
  transports
})

/** What both kinds of options contain. */
interface Ceremony {
  readonly challenge: string
  readonly rpId: string
  readonly userVerification: 'preferred' | 'required'
}

/** @param passkeys - The only ones that may be used. @defaultValue any */
export function createRequestOptions(
  { challenge, rpId, userVerification }: Ceremony,
  passkeys: readonly Passkey[] = []
): RequestOptions {
  return { challenge, rpId, timeout, userVerification, allowCredentials: passkeys.map(toCredential) }
}

/** Whose passkey is created, and which they have. */
interface NewPasskeyUser {
  readonly handle: string
  readonly name: string
  readonly displayName: string
  readonly passkeys: readonly Passkey[]
}

export function createCreationOptions(
  { challenge, rpId, userVerification }: Ceremony,
  { handle, name, displayName, passkeys }: NewPasskeyUser
): CreationOptions {
  return {
    challenge,
    rp: { id: rpId, name: rpId },
    user: { id: handle, name, displayName },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout,
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification },
    excludeCredentials: passkeys.map(toCredential)
  }
}

/** The fields of a form for the script, which fills in the credential. */
export function toCredentialFields(options: RequestOptions | CreationOptions): Readonly<Record<string, string>> {
  return { options: JSON.stringify(options), credential: '' }
}
