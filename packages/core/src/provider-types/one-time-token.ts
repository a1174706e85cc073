import type { VerificationToken } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'

const refused = (why: string): AuthError => new AuthError('Verification', `e-mail: the link ${why}`)

/** The steps of a mailed token. */
export interface MailedToken {
  /** @throws AuthError `Verification`: it is not there. */
  readonly check: () => Promise<void>
  /** @returns The row that was taken. @throws AuthError `Verification`: it is not there any more. */
  readonly take: (from: Store) => Promise<VerificationToken>
  readonly forget: () => void
  readonly putBack: () => Promise<void>
}

/**
 * A mailed token, used in three steps so that a refusal in between does not burn it: look, take, or put back.
 *
 * @param hashes - What the store may keep of the token, the likeliest first.
 */
export function oneTimeToken(
  identifier: string,
  hashes: readonly string[],
  store: Store,
  now: () => number
): MailedToken {
  let taken: VerificationToken | null = null
  // A store that matches one member of the pair only must not decide whose link this is.
  const isExact = (row: VerificationToken, token: string): boolean =>
    row.identifier === identifier && row.token === token

  const check = async (): Promise<void> => {
    if (!store.getVerificationToken) return
    for (const token of hashes) {
      const row = await store.getVerificationToken({ identifier, token })
      if (!row || !isExact(row, token)) continue
      if (row.expires.getTime() > now()) return
      await store.useVerificationToken({ identifier, token })
      throw refused('has expired')
    }
    throw refused('is not known: it was used, has expired or belongs to another address')
  }

  const take = async (from: Store): Promise<VerificationToken> => {
    for (const token of hashes) {
      const row = await from.useVerificationToken({ identifier, token })
      if (!row) continue
      if (!isExact(row, token) || row.expires.getTime() <= now())
        throw refused('has expired or belongs to another address')
      taken = row
      return row
    }
    throw refused('is not known: it was used, has expired or belongs to another address')
  }

  const putBack = async (): Promise<void> => {
    if (taken) await store.createVerificationToken(taken)
    taken = null
  }
  const forget = (): void => {
    taken = null
  }
  return { check, take, forget, putBack }
}
