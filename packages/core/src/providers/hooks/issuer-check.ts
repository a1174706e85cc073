import type { ProviderHooks } from '../../model/provider-hooks.ts'

/** Lets a metadata document pass that names an issuer of this form: documents of tenants name them in a way of their own. */
export function issuerCheck(form: RegExp, owner: string): NonNullable<ProviderHooks['discoveryResponse']> {
  return async (answer) => {
    const document: unknown = await answer
      .clone()
      .json()
      .catch(() => null)
    const issuer = typeof document === 'object' && document !== null && 'issuer' in document ? document.issuer : null
    if (answer.status === 200 && !form.test(String(issuer))) throw new TypeError(`expected an issuer of ${owner}`)
    return answer
  }
}
