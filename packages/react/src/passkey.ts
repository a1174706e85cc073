import { askAuthenticator, type CredentialOptions } from './credentials.ts'
import { callFeature, FeatureCallError } from './feature.ts'
import { navigate } from './navigate.ts'
import type {
  AddPasskeyOptions,
  AddPasskeyResponse,
  SignUpWithPasskeyOptions,
  SignUpWithPasskeyResponse
} from './types.ts'

const refused = (error: string, url: string | null = null): AddPasskeyResponse => ({ ok: false, error, url })

/** What the routes answer to a request that they refuse. */
interface Refusal {
  readonly error?: string
  readonly url?: string
  readonly props?: {
    readonly problem?: string | null
    readonly form?: { readonly field?: { readonly problem?: string | null } | null }
  }
}

/** Converts what a route refused. A user who has to authenticate again goes to that page. */
function toResponse(error: unknown, isRedirecting: boolean): AddPasskeyResponse {
  if (!(error instanceof FeatureCallError)) throw error
  const { url, error: code, props }: Refusal = Object(error.body)
  if (url === undefined) return refused(code ?? props?.problem ?? 'PasskeyFailed')
  if (isRedirecting) navigate(url)
  return refused('SessionRequired', url)
}

/** Adds a passkey to the signed-in user. */
export async function addPasskey(given: AddPasskeyOptions = {}): Promise<AddPasskeyResponse> {
  const { name, mailCode, callbackUrl = location.href, redirect = true } = given
  try {
    const body = { callbackUrl }
    // First: the device would keep a passkey that was created for a wrong code.
    if (mailCode !== undefined) await callFeature('passkeys/code', { method: 'POST', body: { ...body, mailCode } })
    const { options } = await callFeature<{ options: CredentialOptions }>('passkeys/options', { method: 'POST', body })
    const asked = await askAuthenticator(options)
    if ('error' in asked) return refused(asked.error)
    const { credential } = asked
    const fields = { credential, ...(name === undefined ? {} : { name }) }
    await callFeature('passkeys', { method: 'POST', body: fields })
    return { ok: true, error: null, url: null }
  } catch (error) {
    return toResponse(error, redirect)
  }
}

/** The page of the sign-up as data; a server without it has another response. */
interface SignUpPage {
  readonly props?: { readonly form?: { readonly options: CredentialOptions } }
}

/** The error code that a URL leads to; `null` if it has none. */
const readCode = (url: string): string | null => new URL(url, location.href).searchParams.get('error')

/** The code of a refused sign-up. */
function readRefusal({ body }: FeatureCallError): string {
  const { error, url, props }: Refusal = Object(body)
  const named = url === undefined ? null : readCode(url)
  return error ?? named ?? props?.problem ?? props?.form?.field?.problem ?? 'PasskeyFailed'
}

/** Creates a passkey, and sends the mail that confirms the address. */
export async function signUpWithPasskey({
  email,
  redirect = true
}: SignUpWithPasskeyOptions): Promise<SignUpWithPasskeyResponse> {
  try {
    const { props } = await callFeature<SignUpPage>('passkey/sign-up')
    if (!props?.form) throw new Error('expected the options of a passkey; set signUp of passkey()')
    const { options } = props.form
    // The authenticator shows the name; the server does not read it.
    const user = { id: '', ...options.user, name: email, displayName: email }
    const asked = await askAuthenticator({ ...options, user })
    if ('error' in asked) return { ok: false, error: asked.error, url: null }
    const body = { email, credential: asked.credential }
    const { url } = await callFeature<{ url: string }>('passkey/sign-up', { method: 'POST', body })
    const error = readCode(url)
    if (error !== null) return { ok: false, error, url: null }
    if (redirect) navigate(url)
    return { ok: true, error: null, url }
  } catch (error) {
    if (error instanceof FeatureCallError) return { ok: false, error: readRefusal(error), url: null }
    throw error
  }
}
