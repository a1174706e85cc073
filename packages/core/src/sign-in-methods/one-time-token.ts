import type { VerificationToken } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import type { TicketKey } from '../adapter/ticket.ts'
import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { OneTimeToken } from './handler.ts'

/** The token of a mailed link. */
interface MailedToken {
  readonly identifier: string
  /** The stored forms that it may have, most likely first. */
  readonly hashes: readonly string[]
}

/** @throws AuthError `Configuration` if there is no adapter, which registration has ruled out. */
export function requireStore({ store }: Config): Store {
  if (!store) throw new AuthError('Configuration', 'sign-in by email needs an adapter')
  return store
}

/**
 * The remaining attempts of a code, stored as a one-time token: `{identifier: "postern code <hash>", token: "5"}`.
 *
 * An attempt consumes the row before the code is compared, and creates the next one afterwards. Two attempts therefore
 * never use the same count, on any store whose one-time tokens work once.
 */
const createCounterRow = (tokenHash: string, count: number): { identifier: string; token: string } => ({
  identifier: `postern code ${tokenHash}`,
  token: String(count)
})

/** The consumed attempts of a code. */
export interface AttemptCounter {
  readonly tokenHash: string
  /** The number of attempts that were left, including this one. */
  readonly count: number
  readonly expires: Date
}

/** Creates the attempts of a new code. */
export async function createAttemptCounter({ tokenHash, count, expires }: AttemptCounter, store: Store): Promise<void> {
  await store.createVerificationToken({ ...createCounterRow(tokenHash, count), expires })
}

/** Consumes the remaining attempts. @returns The number that was left; `null` if there were none. */
export async function consumeAttempts(tokenHash: string, max: number, store: Store): Promise<AttemptCounter | null> {
  for (let count = max; count > 0; count--) {
    const row = await store.useVerificationToken(createCounterRow(tokenHash, count))
    if (row) return { tokenHash, count, expires: row.expires }
  }
  return null
}

const refused = (why: string): AuthError => new AuthError('Verification', `email: the link ${why}`)
const unknown = 'is unknown: it was used, has expired or belongs to another address'

/** A store that matches only one member of the pair must not decide whose link this is. */
function isExact(row: VerificationToken, identifier: string, token: string): boolean {
  return row.identifier === identifier && row.token === token
}

/**
 * Checks whether a link is valid without consuming it.
 *
 * @returns The row; `null` if the adapter cannot read it. @throws AuthError `Verification` if it is not valid.
 */
export async function checkToken(
  { identifier, hashes }: MailedToken,
  config: Config
): Promise<VerificationToken | null> {
  const store = requireStore(config)
  if (!store.getVerificationToken) return null
  for (const token of hashes) {
    const row = await store.getVerificationToken({ identifier, token })
    if (!row || !isExact(row, identifier, token)) continue
    if (row.expires.getTime() > config.runtime.now()) return row
    await store.useVerificationToken({ identifier, token })
    throw refused('has expired')
  }
  throw refused(unknown)
}

/** @returns The consumed row. @throws AuthError `Verification` if it no longer exists. */
async function consumeToken(
  { identifier, hashes }: MailedToken,
  store: Store,
  now: number
): Promise<VerificationToken> {
  for (const token of hashes) {
    const row = await store.useVerificationToken({ identifier, token })
    if (!row) continue
    if (!isExact(row, identifier, token) || row.expires.getTime() <= now)
      throw refused('has expired or belongs to another address')
    return row
  }
  throw refused(unknown)
}

/**
 * Creates the one-time token of a mailed link, which is restored if the sign-in is refused. The code of the same mail
 * is consumed and restored with it.
 *
 * @param first - The attempts that a code has consumed already; `null` if they are still to be consumed.
 * @param row - The row of the link that was read; `null` if none was.
 */
export function createOneTimeToken(
  link: MailedToken,
  first: AttemptCounter | 'no code' | null,
  row: VerificationToken | null,
  config: Config
): OneTimeToken {
  const { constants, runtime } = config
  let taken: VerificationToken | null = null
  let tries = first
  let read = row
  return {
    getRead: () => read,
    consume: async (store) => {
      taken = await consumeToken(link, store, runtime.now())
      tries ??= await consumeAttempts(taken.token, constants.maxCodeTries, store)
    },
    discard: () => {
      taken = null
      tries = first
      // Another request may have consumed it.
      read = null
    },
    restore: async () => {
      const store = requireStore(config)
      if (taken) await store.createVerificationToken(taken)
      taken = null
      if (tries && tries !== 'no code') await createAttemptCounter(tries, store)
    }
  }
}

/** Creates the one-time token of a sign-in whose proof is a ticket. It is not restored. @param refusal - For the log. */
export function createTicketToken(key: TicketKey, refusal: string): OneTimeToken {
  return {
    consume: async ({ tickets }) => {
      if (!(await tickets?.consume(key))) throw new AuthError('Verification', refusal)
    },
    discard: () => undefined,
    restore: async () => undefined
  }
}
