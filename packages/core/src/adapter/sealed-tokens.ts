import type { AccountTokens } from '../model/account.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { openText, sealText } from '../tokens/seal.ts'
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

/**
 * Makes the tokens of providers unreadable in the store, and readable again on their way back.
 *
 * Tokens that were sealed are opened also where sealing was switched off since; one whose secret is gone is `null`.
 */
export function withSealedTokens(store: Store, ring: KeyRing, isSealing: boolean): Store {
  const { createUserWithAccount, updateAccount, getAccounts, linkAccount } = store
  const sealed = <T extends AccountTokens>(account: T): Promise<T> =>
    each(account, async (token) => (isSealing ? mark + (await sealText(ring, token)) : token))
  const opened = <T extends AccountTokens>(account: T): Promise<T> =>
    each(account, (token) => (token.startsWith(mark) ? openText(ring, token.slice(mark.length)) : token))
  return {
    ...store,
    linkAccount: async (account) => linkAccount(await sealed(account)),
    createUserWithAccount:
      createUserWithAccount && (async (user, account) => createUserWithAccount(user, await sealed(account))),
    updateAccount: updateAccount && (async (account) => updateAccount(await sealed(account))),
    getAccounts: getAccounts && (async (userId) => Promise.all((await getAccounts(userId)).map(opened)))
  }
}
