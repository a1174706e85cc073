import type { SignInResponse } from './types.ts'

/** The options of both ceremonies as JSON, as far as they contain bytes. */
export interface CredentialOptions {
  readonly challenge: string
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly { readonly id: string }[]
  readonly excludeCredentials?: readonly { readonly id: string }[]
}

const toBytes = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const toText = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const withBytes = (list: readonly { readonly id: string }[] = []): object[] =>
  list.map((one) => ({ ...one, id: toBytes(one.id) }))

/** The page of the sign-in as data; a server that does not start one has another response. */
export interface OptionsResponse {
  readonly props?: { readonly options: CredentialOptions }
}

/** `PublicKeyCredential.parseCreationOptionsFromJSON`, which not every browser has. */
function parse(options: CredentialOptions): object {
  const { challenge, user, allowCredentials, excludeCredentials } = options
  return {
    ...options,
    challenge: toBytes(challenge),
    allowCredentials: withBytes(allowCredentials),
    excludeCredentials: withBytes(excludeCredentials),
    ...(user && { user: { ...user, id: toBytes(user.id) } })
  }
}

/** The responses of both ceremonies. */
type CredentialResponse = Partial<AuthenticatorAttestationResponse> & Partial<AuthenticatorAssertionResponse>

const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const

/** `PublicKeyCredential.toJSON`, which fails for the objects of some extensions. */
function serialize({ id, response }: { readonly id: string; readonly response: CredentialResponse }): string {
  const fields = names.flatMap((name) => {
    const value = response[name]
    return value ? [[name, toText(value)] as const] : []
  })
  const transports = response.getTransports?.() ?? []
  return JSON.stringify({ id, rawId: id, type: 'public-key', response: { ...Object.fromEntries(fields), transports } })
}

interface PasskeyContainer {
  create(options: object): Promise<Parameters<typeof serialize>[0] | null>
  get(options: object): Promise<Parameters<typeof serialize>[0] | null>
}

/** Why an authenticator returned nothing. */
export type CredentialError =
  | 'PasskeyCancelled'
  | 'PasskeyExists'
  | 'PasskeyFailed'
  | 'PasskeyUnsupported'
  | 'PasskeyWrongDomain'

/** The names of exceptions. Browsers do not tell a user who cancels from the end of the time. @see Web Authentication Level 3 §5.1 */
const errors: ReadonlyMap<unknown, CredentialError> = new Map([
  ['NotAllowedError', 'PasskeyCancelled'],
  ['AbortError', 'PasskeyCancelled'],
  ['SecurityError', 'PasskeyWrongDomain'],
  ['InvalidStateError', 'PasskeyExists'],
  ['NotSupportedError', 'PasskeyUnsupported'],
  ['ConstraintError', 'PasskeyUnsupported']
])

/**
 * Asks the authenticator: for a new passkey if the options have a user, otherwise for a signature.
 *
 * @returns The form field `credential`, or why there is none.
 */
export async function askAuthenticator(
  options: CredentialOptions
): Promise<{ readonly credential: string } | { readonly error: CredentialError }> {
  const { credentials }: Partial<{ credentials: PasskeyContainer }> = Object(navigator)
  if (!credentials) return { error: 'PasskeyUnsupported' }
  const publicKey = parse(options)
  try {
    const credential = await (options.user ? credentials.create({ publicKey }) : credentials.get({ publicKey }))
    return credential ? { credential: serialize(credential) } : { error: 'PasskeyCancelled' }
  } catch (error) {
    return { error: errors.get(Object(error).name) ?? 'PasskeyFailed' }
  }
}

/** Asks for a signature. @returns The form field `credential`, or the result of a sign-in without one */
export async function askForSignIn(
  start: () => Promise<OptionsResponse>
): Promise<{ readonly credential: string } | SignInResponse> {
  const { props } = await start()
  if (!props) throw new Error('expected the options of a passkey')
  const asked = await askAuthenticator(props.options)
  return 'error' in asked ? { ...asked, status: 0, ok: false, url: null } : asked
}
