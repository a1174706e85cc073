import type { AccountTokens } from '../model/account.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { createStoredCipher } from '../tokens/stored-cipher.ts'
import type { AccountKey, AdapterAccount, AdapterCall } from './adapter.ts'
import type { Store } from './store.ts'

/** The prefix of encrypted tokens: a table may contain both encrypted and plain rows. */
const mark = 's1.'

/** @returns What was encrypted of a stored token; `null` if it is stored as plain text. */
export const getEncryptedToken = (token: string): string | null =>
  token.startsWith(mark) ? token.slice(mark.length) : null

/** @returns The stored form of an encrypted token. */
export const markToken = (encrypted: string): string => mark + encrypted

const secrets = ['access_token', 'refresh_token', 'id_token'] as const

async function each<T extends AccountTokens>(
  account: T,
  change: (token: string) => Promise<string | null> | string
): Promise<T> {
  const changed: AccountTokens = {}
  for (const name of secrets) {
    const token = account[name]
    if (typeof token === 'string') changed[name] = await change(token)
  }
  return { ...account, ...changed }
}

/** The expected account when its tokens are written. */
type Expected = Partial<Pick<AdapterAccount, 'refresh_token' | 'userId'>>

/** How provider tokens are stored. */
interface TokenEncryption {
  readonly keys: KeyRing
  /** Whether tokens are encrypted when they are written. */
  readonly isEnabled: boolean
}

/**
 * Encrypts the tokens of providers before they reach the adapter, and decrypts them when they are read.
 *
 * Encrypted tokens are decrypted even after encryption was switched off; if the secret was removed, the token is
 * `null`.
 */
export function withEncryptedTokens(store: Store, { keys, isEnabled }: TokenEncryption): Store {
  const cipher = createStoredCipher(keys)
  const { createUserWithAccount, updateAccount, getAccounts, linkAccount, transact, versions } = store
  const stored: StoredTokens = new WeakMap()
  const encrypt: Encrypt = (account) =>
    each(account, async (token) => (isEnabled ? markToken(await cipher.encrypt(token)) : token))
  const decryptToken = async (token: string): Promise<string | null> => {
    const encrypted = getEncryptedToken(token)
    return encrypted === null ? token : cipher.decrypt(encrypted)
  }
  const decrypt = async (row: AdapterAccount): Promise<AdapterAccount> => {
    const account = await each(row, decryptToken)
    stored.set(account, row.refresh_token)
    return account
  }
  return {
    ...store,
    linkAccount: async (account) => linkAccount(await encrypt(account)),
    createUserWithAccount:
      createUserWithAccount && (async (user, account) => createUserWithAccount(user, await encrypt(account))),
    updateAccount: updateAccount && createUpdate({ updateAccount, getAccounts }, { encrypt, decryptToken, stored }),
    getAccounts: getAccounts && (async (userId) => Promise.all((await getAccounts(userId)).map(decrypt))),
    versions: versions && {
      ...versions,
      find: async (by) => {
        const found = await versions.find(by)
        return found?.account ? { ...found, account: await decrypt(found.account) } : found
      }
    },
    transact:
      transact && (async (calls) => transact(await Promise.all(calls.map((call) => encryptCall(call, encrypt)))))
  }
}

type Encrypt = <T extends AccountTokens>(account: T) => Promise<T>

/** The stored refresh tokens of accounts that were read: encrypting one again gives a different string. */
type StoredTokens = WeakMap<object, AdapterAccount['refresh_token']>

type UpdateAccount = NonNullable<Store['updateAccount']>

/** Creates the update of an account that may be expected as it was read. */
function createUpdate(
  { updateAccount, getAccounts }: { readonly updateAccount: UpdateAccount; readonly getAccounts: Store['getAccounts'] },
  tokens: {
    readonly encrypt: Encrypt
    readonly decryptToken: (token: string) => Promise<string | null>
    readonly stored: StoredTokens
  }
): UpdateAccount {
  const { encrypt, decryptToken, stored } = tokens
  const getExpected = (account: Expected): Expected => ({
    ...(account.userId === undefined ? {} : { userId: account.userId }),
    ...('refresh_token' in account || stored.has(account)
      ? { refresh_token: (stored.has(account) ? stored.get(account) : account.refresh_token) ?? null }
      : {})
  })
  /** Returns the expected account as it is stored now, if its refresh token is the same, but was encrypted again. */
  const findReencrypted = async (key: AccountKey, before: Expected): Promise<Expected | null> => {
    const { userId, refresh_token } = before
    if (!getAccounts || userId === undefined || !refresh_token || !stored.has(before)) return null
    const isKey = (row: AdapterAccount): boolean =>
      row.provider === key.provider && row.providerAccountId === key.providerAccountId
    const token = (await getAccounts(userId)).find(isKey)?.refresh_token
    if (!token || token === stored.get(before) || (await decryptToken(token)) !== refresh_token) return null
    return { userId, refresh_token: token }
  }
  return async (account, expected) => {
    const encrypted = await encrypt(account)
    if (!expected) return updateAccount(encrypted)
    if (await updateAccount(encrypted, getExpected(expected))) return true
    // Otherwise the tokens of a provider that replaces refresh tokens would be lost.
    const now = await findReencrypted(account, expected)
    return now !== null && updateAccount(encrypted, now)
  }
}

async function encryptCall(call: AdapterCall, encrypt: Encrypt): Promise<AdapterCall> {
  if (call.method === 'linkAccount') return { ...call, args: [await encrypt(call.args[0])] }
  if (call.method !== 'updateAccount') return call
  const [account, ...expected] = call.args
  return { ...call, args: [await encrypt(account), ...expected] }
}
