import type { Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { equalInConstantTime, keyedHashes } from '../tokens/hash.ts'
import { type AttemptCounter, consumeAttempts, createAttemptCounter } from './one-time-token.ts'
import type { PendingEmail } from './pending-email.ts'

/**
 * Finds the mail of a code among those that this browser requested.
 *
 * @throws AuthError `Verification` if no mail of this browser has attempts left, or this was the last attempt.
 * @returns The mail and its consumed attempts, or how many attempts are left after a wrong code.
 */
export async function redeemCode(
  code: string,
  requests: readonly PendingEmail[],
  store: Store,
  config: Config
): Promise<
  { readonly request: PendingEmail; readonly attemptCounter: AttemptCounter } | { readonly triesLeft: number }
> {
  const { keys, constants } = config
  let triesLeft = 0
  let isSpent = false
  for (const request of requests) {
    const { tokenHash, codeHash, identifier } = request
    const attemptCounter = codeHash === null ? null : await consumeAttempts(tokenHash, constants.maxCodeTries, store)
    if (codeHash === null || attemptCounter === null) continue
    const hashes = await keyedHashes(keys.code, tokenHash + code)
    if (hashes.some((hash) => equalInConstantTime(hash, codeHash))) return { request, attemptCounter }
    if (attemptCounter.count === 1) await store.useVerificationToken({ identifier, token: tokenHash })
    else await createAttemptCounter({ ...attemptCounter, count: attemptCounter.count - 1 }, store)
    triesLeft = Math.max(triesLeft, attemptCounter.count - 1)
    isSpent ||= attemptCounter.count === 1
  }
  if (triesLeft > 0) return { triesLeft }
  // A mail without a counter may have been used: only the last attempt is known to be one too many.
  const reason = isSpent ? 'spent' : null
  throw new AuthError('Verification', 'the code was wrong, and no attempts are left', { reason })
}
