import type { Account } from '../model/account.ts'
import { sha256 } from '../tokens/hash.ts'

/** The value of the form field `link` that allows any account of the provider: the user was not shown one yet. */
export const anyAccount = 'true'

/*
 * A new sign-in is started with a hash by the page of a store without tickets. If the store has tickets, the sign-in waits for the
 * confirmation (`features/confirm-link.ts`), and the hash binds the form to it.
 */
const valuePattern = /^(true|[0-9a-f]{64})$/

/** @returns The value of the form field `link` for one account: the page that asks has shown it. */
export async function getLinkValue({ provider, providerAccountId }: Account): Promise<string> {
  return sha256(JSON.stringify([provider, providerAccountId]))
}

/** @returns The valid value of the form field `link`, or `null`. */
export function parseLinkValue(text: string | null): string | null {
  return text !== null && valuePattern.test(text) ? text : null
}

/** Whether a sign-in with this value of `link` may link the account. */
export async function allowsLink(value: string | null, account: Account): Promise<boolean> {
  return value === anyAccount || (value !== null && value === (await getLinkValue(account)))
}
