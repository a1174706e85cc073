import type { AccountTokens } from '../model/account.ts'
import { decryptText, encryptText } from '../tokens/jwe.ts'
import type { KeyRing } from '../tokens/keys.ts'
import type { AdapterAccount, AdapterCall } from './adapter.ts'
import type { Store } from './store.ts'

/** The prefix of encrypted tokens: a table may contain both encrypted and plain rows. */
const mark = 's1.'

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

/** The keys of provider tokens. */
interface TokenRings {
  readonly encrypting: KeyRing | null
  readonly decrypting: KeyRing
}

/**
 * Encrypts the tokens of providers before they reach the adapter, and decrypts them when they are read.
 *
 * Encrypted tokens are decrypted even after encryption was switched off; if the secret was removed, the token is
 * `null`.
 *
 * @param rings - `encrypting` is `null` if tokens are stored as plain text.
 */
export function withEncryptedTokens(store: Store, { encrypting, decrypting }: TokenRings): Store {
  const { createUserWithAccount, updateAccount, getAccounts, linkAccount, transact } = store
  /** The stored refresh tokens: encrypting one again gives a different string. */
  const stored = new WeakMap<object, AdapterAccount['refresh_token']>()
  const encrypt = <T extends AccountTokens>(account: T): Promise<T> =>
    each(account, async (token) => (encrypting ? mark + (await encryptText(encrypting, token)) : token))
  const decrypt = async (row: AdapterAccount): Promise<AdapterAccount> => {
    const account = await each(row, (token) =>
      token.startsWith(mark) ? decryptText(decrypting, token.slice(mark.length)) : token
    )
    stored.set(account, row.refresh_token)
    return account
  }
  const getExpected = (account: Expected): Expected => ({
    ...(account.userId === undefined ? {} : { userId: account.userId }),
    ...('refresh_token' in account || stored.has(account)
      ? { refresh_token: (stored.has(account) ? stored.get(account) : account.refresh_token) ?? null }
      : {})
  })
  return {
    ...store,
    linkAccount: async (account) => linkAccount(await encrypt(account)),
    createUserWithAccount:
      createUserWithAccount && (async (user, account) => createUserWithAccount(user, await encrypt(account))),
    updateAccount:
      updateAccount &&
      (async (account, expected) =>
        expected
          ? updateAccount(await encrypt(account), getExpected(expected))
          : updateAccount(await encrypt(account))),
    getAccounts: getAccounts && (async (userId) => Promise.all((await getAccounts(userId)).map(decrypt))),
    transact:
      transact && (async (calls) => transact(await Promise.all(calls.map((call) => encryptCall(call, encrypt)))))
  }
}

async function encryptCall(
  call: AdapterCall,
  encrypt: <T extends AccountTokens>(account: T) => Promise<T>
): Promise<AdapterCall> {
  if (call.method === 'linkAccount') return { ...call, args: [await encrypt(call.args[0])] }
  if (call.method !== 'updateAccount') return call
  const [account, ...expected] = call.args
  return { ...call, args: [await encrypt(account), ...expected] }
}
