import type { Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { equalInConstantTime, keyedHashes } from '../tokens/hash.ts'
import type { EmailRequest } from '../provider-types/email-request.ts'
import { allowTries, type Tries, takeTries } from './one-time-token.ts'

/** Consonants that are hard to take for one another, and that spell no words. */
export const codeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ'

/** What somebody typed, as the code was made: upper case, without the spaces and dashes that people add. */
export function normalizeCode(text: string): string {
  return text
    .slice(0, 64)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
}

/**
 * Finds the mail that a code came with, among those that this browser asked for.
 *
 * @throws AuthError `Verification`: no mail of this browser has a try left, or this was the last.
 * @returns The mail, and the tries that were taken for it, or `null` for a wrong code with tries left.
 */
export async function redeemCode(
  code: string,
  requests: readonly EmailRequest[],
  store: Store,
  config: Config
): Promise<{ readonly request: EmailRequest; readonly tries: Tries } | null> {
  const { keys, constants } = config
  let mayTryAgain = false
  for (const request of requests) {
    const { tokenHash, codeHash, identifier } = request
    const tries = codeHash === null ? null : await takeTries(tokenHash, constants.mostCodeTries, store)
    if (codeHash === null || tries === null) continue
    const hashes = await keyedHashes(keys.code, tokenHash + code)
    if (hashes.some((hash) => equalInConstantTime(hash, codeHash))) return { request, tries }
    if (tries.count === 1) await store.useVerificationToken({ identifier, token: tokenHash })
    else await allowTries({ ...tries, count: tries.count - 1 }, store)
    mayTryAgain ||= tries.count > 1
  }
  if (mayTryAgain) return null
  throw new AuthError('Verification', 'the code was wrong, and there is no try left')
}
