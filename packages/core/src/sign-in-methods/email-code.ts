import type { Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { equalInConstantTime, keyedHashes } from '../tokens/hash.ts'
import { type AttemptCounter, consumeAttempts, createAttemptCounter } from './one-time-token.ts'
import type { PendingEmail } from './pending-email.ts'

/** Consonants that are hard to confuse and do not form words. */
export const codeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ'

/** Normalizes a typed code: upper case, without spaces and dashes. */
export function normalizeCode(text: string): string {
  return text
    .slice(0, 64)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
}

/**
 * Finds the mail of a code among those that this browser requested.
 *
 * @throws AuthError `Verification` if no mail of this browser has attempts left, or this was the last attempt.
 * @returns The mail and its consumed attempts, or `null` for a wrong code with attempts left.
 */
export async function redeemCode(
  code: string,
  requests: readonly PendingEmail[],
  store: Store,
  deps: Pick<Config, 'keys' | 'constants'>
): Promise<{ readonly request: PendingEmail; readonly attemptCounter: AttemptCounter } | null> {
  const { keys, constants } = deps
  let mayTryAgain = false
  for (const request of requests) {
    const { tokenHash, codeHash, identifier } = request
    const attemptCounter = codeHash === null ? null : await consumeAttempts(tokenHash, constants.maxCodeTries, store)
    if (codeHash === null || attemptCounter === null) continue
    const hashes = await keyedHashes(keys.code, tokenHash + code)
    if (hashes.some((hash) => equalInConstantTime(hash, codeHash))) return { request, attemptCounter }
    if (attemptCounter.count === 1) await store.useVerificationToken({ identifier, token: tokenHash })
    else await createAttemptCounter({ ...attemptCounter, count: attemptCounter.count - 1 }, store)
    mayTryAgain ||= attemptCounter.count > 1
  }
  if (mayTryAgain) return null
  throw new AuthError('Verification', 'the code was wrong, and no attempts are left')
}
