import type { VerificationToken } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { OneTime } from '../provider-types/handler.ts'

/** The token of a mailed link. */
interface MailedToken {
  readonly identifier: string
  /** What the store may keep of it, the likeliest first. */
  readonly hashes: readonly string[]
}

/** @throws AuthError `Configuration`: links need a store; registration has seen to it. */
export function storeOf({ store }: Config): Store {
  if (!store) throw new AuthError('Configuration', 'sign-in by e-mail needs an adapter')
  return store
}

/**
 * The tries that a code has left, as a row of one-time tokens: `{identifier: "postern code <hash>", token: "5"}`.
 *
 * A try takes the row before the code is looked at and writes the next one afterwards, so no two tries are ever looked
 * at for one count, on any store whose one-time tokens work once.
 */
const rowOf = (tokenHash: string, count: number): { identifier: string; token: string } => ({
  identifier: `postern code ${tokenHash}`,
  token: String(count)
})

/** The tries that a code had left. */
export interface Tries {
  readonly tokenHash: string
  /** How many there were, this one included. */
  readonly count: number
  readonly expires: Date
}

/** Gives a new code its tries. */
export async function allowTries({ tokenHash, count, expires }: Tries, store: Store): Promise<void> {
  await store.createVerificationToken({ ...rowOf(tokenHash, count), expires })
}

/** Takes what is left of the tries. @returns What there was; `null` where there are none. */
export async function takeTries(tokenHash: string, most: number, store: Store): Promise<Tries | null> {
  for (let count = most; count > 0; count--) {
    const row = await store.useVerificationToken(rowOf(tokenHash, count))
    if (row) return { tokenHash, count, expires: row.expires }
  }
  return null
}

const refused = (why: string): AuthError => new AuthError('Verification', `e-mail: the link ${why}`)
const unknown = 'is not known: it was used, has expired or belongs to another address'

/** A store that matches one member of the pair only must not decide whose link this is. */
function isExact(row: VerificationToken, identifier: string, token: string): boolean {
  return row.identifier === identifier && row.token === token
}

/** Looks whether a link can be used, and leaves it. @throws AuthError `Verification`: it cannot. */
export async function checkToken({ identifier, hashes }: MailedToken, config: Config): Promise<void> {
  const store = storeOf(config)
  if (!store.getVerificationToken) return
  for (const token of hashes) {
    const row = await store.getVerificationToken({ identifier, token })
    if (!row || !isExact(row, identifier, token)) continue
    if (row.expires.getTime() > config.runtime.now()) return
    await store.useVerificationToken({ identifier, token })
    throw refused('has expired')
  }
  throw refused(unknown)
}

/** @returns The row that was taken. @throws AuthError `Verification`: it is not there any more. */
async function takeToken({ identifier, hashes }: MailedToken, store: Store, now: number): Promise<VerificationToken> {
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
 * A mailed link, taken or put back, so that a refusal in between does not burn it. The code of the same mail is used up
 * with it, wherever that happens, and comes back with it.
 *
 * @param first - The tries that a code has taken already; `null` where they are still to be taken.
 */
export function oneTime(link: MailedToken, first: Tries | 'no code' | null, config: Config): OneTime {
  const { constants, runtime } = config
  let taken: VerificationToken | null = null
  let tries = first
  return {
    take: async (store) => {
      taken = await takeToken(link, store, runtime.now())
      tries ??= await takeTries(taken.token, constants.mostCodeTries, store)
    },
    forget: () => {
      taken = null
      tries = first
    },
    putBack: async () => {
      const store = storeOf(config)
      if (taken) await store.createVerificationToken(taken)
      taken = null
      if (tries && tries !== 'no code') await allowTries(tries, store)
    }
  }
}
