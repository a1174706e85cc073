import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { type Case, itsOptional } from './case.ts'
import { isRefused } from './data.ts'

/** Leases are exclusive. */
export const leases: readonly Case[] = [
  itsOptional('withLease', 'returns the result of the work', async (t, adapter) => {
    t.equal(await adapter.withLease(randomUUID(), async () => 'done'), 'done', 'the result')
  }),

  itsOptional('withLease', 'runs one at a time, and all of them eventually', async (t, adapter) => {
    const name = randomUUID()
    const inside = { now: 0, limit: 0, all: 0 }
    const work = async (): Promise<void> => {
      inside.now += 1
      inside.all += 1
      inside.limit = Math.max(inside.limit, inside.now)
      await turn()
      inside.now -= 1
    }
    await Promise.all(Array.from({ length: 8 }, () => adapter.withLease(name, work)))
    t.equal(inside.limit, 1, 'never two')
    t.equal(inside.all, 8, 'everyone')
  }),

  itsOptional('withLease', 'is over when the work has failed', async (t, adapter) => {
    const name = randomUUID()
    const failure = new Error('the work failed')
    await isRefused(t, () => adapter.withLease(name, () => Promise.reject(failure)), 'the failure is passed on')
    t.equal(await adapter.withLease(name, async () => 'next'), 'next', 'the next is admitted')
  }),

  itsOptional('withLease', 'is exclusive per name only', async (t, adapter) => {
    const [one, other] = [randomUUID(), randomUUID()]
    const result = await adapter.withLease(one, () => adapter.withLease(other, async () => 'both'))
    t.equal(result, 'both', 'two names at once')
  }),

  itsOptional('withLease', 'leaves the store open to the work', async (t, adapter) => {
    const user = await adapter.withLease(randomUUID(), async () =>
      adapter.createUser({ email: null, emailVerified: null })
    )
    t.equal((await adapter.getUser(user.id))?.id, user.id, 'what the work wrote')
  })
]
