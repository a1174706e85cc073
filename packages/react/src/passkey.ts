import { askAuthenticator, type CredentialOptions } from './credentials.ts'
import { callFeature, FeatureCallError } from './feature.ts'
import { navigate } from './navigate.ts'
import type { AddPasskeyOptions, AddPasskeyResponse } from './types.ts'

const refused = (error: string, url: string | null = null): AddPasskeyResponse => ({ ok: false, error, url })

/** What the routes answer to a request that they refuse. */
interface Refusal {
  readonly error?: string
  readonly url?: string
  readonly props?: { readonly problem?: string }
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
  const { name, callbackUrl = location.href, redirect = true } = given
  try {
    const body = { callbackUrl }
    const { options } = await callFeature<{ options: CredentialOptions }>('passkeys/options', { method: 'POST', body })
    const asked = await askAuthenticator(options)
    if ('error' in asked) return refused(asked.error)
    const fields = { credential: asked.credential, ...(name === undefined ? {} : { name }) }
    await callFeature('passkeys', { method: 'POST', body: fields })
    return { ok: true, error: null, url: null }
  } catch (error) {
    return toResponse(error, redirect)
  }
}
