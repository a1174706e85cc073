import type { FeatureContext, FeatureWrite, TicketKey } from '@postern/core/feature'
import { createTicketOnce } from './create-ticket-once.ts'
import { hashText } from './hash-text.ts'

const kind = 'email-lock'

/** Milliseconds: a process that ends during a change leaves its locks for that long. */
const maxAge = 60_000

type LockDeps = Pick<FeatureContext, 'now' | 'randomBytes' | 'tickets'>

/** What a change has locked. */
interface HeldLocks {
  readonly keys: readonly TicketKey[]
  /** Identifies this change. */
  readonly owner: string
}

/** Of concurrent calls, one creates the lock: its ticket exists once. */
const acquire = (key: TicketKey, owner: string, { tickets, now }: LockDeps): Promise<boolean> =>
  createTicketOnce({ ...key, userId: null, data: owner, tries: 0, expires: new Date(now() + maxAge) }, { tickets })

async function release({ keys, owner }: HeldLocks, { tickets }: LockDeps): Promise<void> {
  for (const key of keys) if ((await tickets.read(key))?.data === owner) await tickets.consume(key)
}

/**
 * Runs a change while no other process changes the address of the same user, or gives the same address to another user. The
 * store need not have a unique index on addresses.
 *
 * @param about - The address is `null` if the change gives the user none.
 * @param work - Receives the writes that release the locks, for its transaction: it fails if a lock has expired.
 * @returns `'busy'` if another change is running.
 */
export async function withLocks<T>(
  { userId, email }: { readonly userId: string; readonly email: string | null },
  work: (release: readonly FeatureWrite[]) => Promise<T>,
  deps: LockDeps
): Promise<T | 'busy'> {
  const owner = Buffer.from(deps.randomBytes(12)).toString('base64url')
  const held: TicketKey[] = []
  try {
    for (const name of [`user ${userId}`, ...(email === null ? [] : [`address ${email}`])]) {
      const key = { kind, id: await hashText(name) }
      if (!(await acquire(key, owner, deps))) return 'busy'
      held.push(key)
    }
    return await work(held.map((key) => ({ method: 'consumeTicket', args: [key] })))
  } finally {
    await release({ keys: held, owner }, deps)
  }
}
