import { createHash } from 'node:crypto'

/** Whether a password is known from a data breach. */
export type BreachedCheck = (password: string) => Promise<boolean>

export interface HaveIBeenPwnedOptions {
  /** The service, or a mirror of it. @defaultValue `'https://api.pwnedpasswords.com'` */
  readonly url?: string | undefined
}

/** Milliseconds. */
const timeout = 1000

/**
 * Looks passwords up at haveibeenpwned.com. Only the first five digits of the SHA-1 hash are sent, and the responses are
 * padded, so that their length says nothing.
 */
export function haveIBeenPwned({ url = 'https://api.pwnedpasswords.com' }: HaveIBeenPwnedOptions = {}): BreachedCheck {
  return async (password) => {
    const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
    const response = await fetch(`${url}/range/${digest.slice(0, 5)}`, {
      headers: { 'add-padding': 'true' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeout)
    })
    if (!response.ok) throw new Error(`expected the status 200, got ${response.status}`)
    const rows = (await response.text()).split(/\r?\n/)
    return rows.some((row) => {
      const [suffix, count] = row.split(':')
      // The rows that pad the response have the count 0.
      return suffix === digest.slice(5) && Number(count) > 0
    })
  }
}
