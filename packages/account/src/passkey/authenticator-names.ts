import { aaguidNames } from './aaguid-names.ts'

const names: ReadonlyMap<string, string> = new Map(aaguidNames)

/**
 * Returns the name of the provider, to name new passkeys. It is no security information: an authenticator may state any AAGUID.
 *
 * @returns `null` if it is not in the list.
 */
export function getAuthenticatorName(aaguid: string | null): string | null {
  return (aaguid !== null && names.get(aaguid)) || null
}
