import type { ProviderHooks } from '../../model/provider.ts'

/**
 * Accepts metadata documents whose issuer matches this pattern, because documents of tenants use an issuer of their
 * own.
 */
export function issuerCheck(form: RegExp, owner: string): NonNullable<ProviderHooks['discoveryResponse']> {
  return async (response) => {
    const document: unknown = await response
      .clone()
      .json()
      .catch(() => null)
    const issuer = typeof document === 'object' && document !== null && 'issuer' in document ? document.issuer : null
    if (response.status === 200 && !form.test(String(issuer))) throw new TypeError(`expected an issuer of ${owner}`)
    return response
  }
}
