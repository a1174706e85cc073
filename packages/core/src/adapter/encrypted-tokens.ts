import type { AccountTokens } from '../model/account.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { openText, sealText } from '../tokens/seal.ts'
import type { AdapterAccount, AdapterCall } from './adapter.ts'
import type { Store } from './store.ts'

/** Tells a sealed token from a plain one: rows of both kinds may stand beside each other. */
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

/** The keys of provider tokens. */
interface TokenRings {
  readonly sealing: KeyRing | null
  readonly opening: KeyRing
}

/**
 * Makes the tokens of providers unreadable in the store, and readable again on their way back.
 *
 * Tokens that were sealed are opened also where sealing was switched off since; one whose secret is gone is `null`.
 *
 * @param rings - `sealing` is `null` where tokens are to stand as they came.
 */
export function withSealedTokens(store: Store, { sealing, opening }: TokenRings): Store {
  const { createUserWithAccount, updateAccount, getAccounts, linkAccount, atomically } = store
  /** The refresh token as it is stored: sealed again it would be another text. */
  const stored = new WeakMap<object, AdapterAccount['refresh_token']>()
  const sealed = <T extends AccountTokens>(account: T): Promise<T> =>
    each(account, async (token) => (sealing ? mark + (await sealText(sealing, token)) : token))
  const opened = async (row: AdapterAccount): Promise<AdapterAccount> => {
    const account = await each(row, (token) =>
      token.startsWith(mark) ? openText(opening, token.slice(mark.length)) : token
    )
    stored.set(account, row.refresh_token)
    return account
  }
  const expectedOf = (account: Pick<AdapterAccount, 'refresh_token'>): Pick<AdapterAccount, 'refresh_token'> => ({
    refresh_token: (stored.has(account) ? stored.get(account) : account.refresh_token) ?? null
  })
  return {
    ...store,
    linkAccount: async (account) => linkAccount(await sealed(account)),
    createUserWithAccount:
      createUserWithAccount && (async (user, account) => createUserWithAccount(user, await sealed(account))),
    updateAccount:
      updateAccount &&
      (async (account, expected) =>
        expected ? updateAccount(await sealed(account), expectedOf(expected)) : updateAccount(await sealed(account))),
    getAccounts: getAccounts && (async (userId) => Promise.all((await getAccounts(userId)).map(opened))),
    atomically:
      atomically && (async (calls) => atomically(await Promise.all(calls.map((call) => sealedCall(call, sealed)))))
  }
}

async function sealedCall(
  call: AdapterCall,
  sealed: <T extends AccountTokens>(account: T) => Promise<T>
): Promise<AdapterCall> {
  if (call.method === 'linkAccount') return { ...call, args: [await sealed(call.args[0])] }
  if (call.method !== 'updateAccount') return call
  const [account, ...expected] = call.args
  return { ...call, args: [await sealed(account), ...expected] }
}
