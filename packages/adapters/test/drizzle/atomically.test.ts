import type { AdapterCall } from '@postern/core'
import t from 'tap'
import { performAll } from '../../src/calls.ts'
import { DatabaseError } from '../../src/database-error.ts'
import { createAtomically } from '../../src/drizzle/atomically.ts'
import { createAttempts } from '../../src/drizzle/retry.ts'
import type { Transaction } from '../../src/drizzle/transaction.ts'
import { memoryAdapter } from '../../src/memory/index.ts'
import { adaToken } from './people.ts'
import { firstSignIn, whatIsThere } from './sign-in.ts'

const { once } = createAttempts(
  {
    database: 'db',
    isBusy: () => false,
    isBroken: (error) => error instanceof DatabaseError && error.code === 'LOST',
    isDuplicate: () => false,
    toPublic: (error) => new DatabaseError('OTHER', `${error}`)
  },
  async () => undefined
)

/** A store whose first transaction loses its connection while it ends, and what others do before the second one. */
async function losing(between: readonly AdapterCall[]) {
  const store = memoryAdapter()
  await store.createVerificationToken(adaToken)
  let transactions = 0
  const transaction: Transaction<null> = async (work, atEnd) => {
    transactions += 1
    if (transactions > 1) {
      await performAll(store, between)
      return work(null)
    }
    atEnd?.()
    throw new DatabaseError('LOST', 'db: the connection was lost')
  }
  return { store, atomically: createAtomically({ once, transaction, methodsOn: () => store, lookUps: store }) }
}

t.test('a transaction that took effect only after it was looked up has taken effect', async (t) => {
  const { store, atomically } = await losing(firstSignIn)
  t.equal(await atomically(firstSignIn), true)
  t.equal(await whatIsThere(store), 'everything')
})

t.test('a transaction that had no effect runs again', async (t) => {
  const { store, atomically } = await losing([])
  t.equal(await atomically(firstSignIn), true)
  t.equal(await whatIsThere(store), 'everything')
})

t.test('a link that somebody else used meanwhile is told to be used', async (t) => {
  const { store, atomically } = await losing([{ method: 'useVerificationToken', args: [adaToken] }])
  t.equal(await atomically(firstSignIn), false)
  t.equal(await whatIsThere(store), '')
})

t.test('a link that is gone after all, nobody knows by whom, is an error', async (t) => {
  const use: AdapterCall = { method: 'useVerificationToken', args: [adaToken] }
  const { atomically } = await losing([use])
  await t.rejects(atomically([use]), { code: 'LOST' })
})
