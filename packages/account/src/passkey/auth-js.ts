import { getPasskeyId, isBackwards, type Passkey, type PasskeyUse } from './stored-passkey.ts'

/** A passkey as Auth.js stores it. Binary values are in base64. */
export interface AuthJsAuthenticator {
  readonly userId?: string | undefined
  readonly credentialID: string
  readonly providerAccountId: string
  readonly credentialPublicKey: string
  readonly counter: number
  /** `multiDevice` if it can be copied to other devices. */
  readonly credentialDeviceType: string
  readonly credentialBackedUp: boolean
  /** Separated by commas. */
  readonly transports?: string | null | undefined
}

/** The methods of an adapter of Auth.js that sign-in uses. */
export interface AuthJsAuthenticators {
  getAccount(providerAccountId: string, provider: string): Promise<{ readonly userId: string } | null>
  getAuthenticator(credentialID: string): Promise<AuthJsAuthenticator | null>
  listAuthenticatorsByUserId(userId: string): Promise<readonly AuthJsAuthenticator[]>
  updateAuthenticatorCounter(credentialID: string, newCounter: number): Promise<unknown>
}

/** The ids of Auth.js's providers. */
const providers = ['passkey', 'webauthn'] as const

const toBase64Url = (base64: string): string => Buffer.from(base64, 'base64').toString('base64url')

/** @returns The passkey; `null` if its account was removed or has another user. */
async function toPasskey(row: AuthJsAuthenticator, adapter: AuthJsAuthenticators): Promise<Passkey | null> {
  const { credentialID, providerAccountId, userId = null } = row
  const accounts = await Promise.all(providers.map((provider) => adapter.getAccount(providerAccountId, provider)))
  const place = accounts.findIndex((account) => account)
  const [owner = null, provider] = [accounts[place]?.userId, providers[place]]
  if (owner === null || provider === undefined || (userId !== null && userId !== owner)) return null
  const credentialId = toBase64Url(credentialID)
  return {
    id: getPasskeyId(credentialId),
    userId: owner,
    credentialId,
    publicKey: toBase64Url(row.credentialPublicKey),
    counter: Number(row.counter),
    transports: row.transports ? row.transports.split(',') : [],
    isBackupEligible: row.credentialDeviceType === 'multiDevice',
    isBackedUp: row.credentialBackedUp,
    aaguid: null,
    handle: null,
    isUserVerified: false,
    isOwnerProven: false,
    name: '',
    createdAt: null,
    lastUsedAt: null,
    source: { kind: 'auth-js', id: credentialID, account: { provider, providerAccountId } }
  }
}

/** @returns The passkey with a credential id; `null` if Auth.js has not stored it. */
export async function findAuthJsPasskey(
  credentialId: string,
  adapter: AuthJsAuthenticators | null
): Promise<Passkey | null> {
  if (!adapter) return null
  const row = await adapter.getAuthenticator(Buffer.from(credentialId, 'base64url').toString('base64'))
  return row ? toPasskey(row, adapter) : null
}

/** @returns The passkeys of a user that Auth.js has stored. */
export async function listAuthJsPasskeys(
  userId: string,
  adapter: AuthJsAuthenticators | null
): Promise<readonly Passkey[]> {
  if (!adapter) return []
  const rows = await adapter.listAuthenticatorsByUserId(userId)
  const passkeys = await Promise.all(rows.map((row) => toPasskey(row, adapter)))
  return passkeys.flatMap((passkey) => (passkey?.userId === userId ? [passkey] : []))
}

/** Records a sign-in. These rows have no version, so of two at once both may succeed. */
export async function recordAuthJsUse(
  credentialID: string,
  { counter }: PasskeyUse,
  adapter: AuthJsAuthenticators | null
): Promise<Passkey | 'copied' | 'gone'> {
  const row = await adapter?.getAuthenticator(credentialID)
  const passkey = adapter && row ? await toPasskey(row, adapter) : null
  if (!adapter || !row || !passkey) return 'gone'
  const known = Number(row.counter)
  if (isBackwards(known, counter, row.credentialDeviceType === 'multiDevice')) return 'copied'
  if (counter > known) await adapter.updateAuthenticatorCounter(credentialID, counter)
  return passkey
}
