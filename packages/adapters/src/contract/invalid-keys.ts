import { randomUUID } from 'node:crypto'
import { type Adapter, wrapAdapter } from '@postern/core'
import { type Case, type Complete, type ContractTest, it } from './case.ts'
import {
  isRefused,
  newAccount,
  newEvent,
  newFactor,
  newRecord,
  newSession,
  newTicket,
  newToken,
  newUser
} from './data.ts'

type Store = ReturnType<typeof wrapAdapter>

const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined }

/** The adapter as Postern calls it. */
const toStore = (adapter: Adapter): Store => wrapAdapter(adapter, silent, { isDebugging: false, timeout: 30_000 })

/**
 * Keys that no row can have, because PostgreSQL has no NUL and UTF-8 no surrogates. A store might cut them, or replace what
 * it cannot keep, and then find the row of another key.
 */
const toInvalid: readonly [title: string, make: (key: string) => string][] = [
  ['NUL', (key) => `${key}\0`],
  ['a lone surrogate', (key) => `${key}\ud800`]
]

/** Stores rows with each of these texts as their key, where the adapter has such rows. */
async function createRows(adapter: Complete, keys: readonly string[]): Promise<string> {
  const { id } = await adapter.createUser(newUser())
  for (const key of keys) {
    await adapter.createUser(newUser({ email: key }))
    await adapter.linkAccount({ ...newAccount({ providerAccountId: key }), userId: id })
    const record = newRecord(id, { id: key, providerSessionId: key })
    await adapter.createSession(newSession(id, { sessionToken: key }), record)
    await adapter.putSessionRecord?.(record)
    await adapter.createVerificationToken(newToken({ identifier: key, token: key }))
    await adapter.createTicket?.(newTicket({ id: key, userId: key }))
    await adapter.createFactor?.(newFactor(id, { id: key }))
    await adapter.addEvents?.([newEvent({ userId: key })])
    await adapter.putAccountEvidence?.({ ...getAccountKey(key), userId: key, email: key, verifiedAt: new Date() })
    await adapter.revoke?.(key, new Date(Date.now() + 3_600_000))
  }
  return id
}

const getAccountKey = (providerAccountId: string) => ({ provider: 'github', providerAccountId })

/** Reads rows by a key, with every method that does. @returns What each has found. */
async function readAll(store: Store, key: string): Promise<readonly (readonly [method: string, found: unknown])[]> {
  const { tickets, factors, events, evidence, revocations } = store
  const [ticket, factor, token] = [newTicket({ id: key }), newFactor(key, { id: key }), { identifier: key, token: key }]
  return [
    ['getUser', await store.getUser(key)],
    ['getUserByEmail', await store.getUserByEmail(key)],
    ['getUserByAccount', await store.getUserByAccount(getAccountKey(key))],
    ['getSessionAndUser', await store.getSessionAndUser(key)],
    ['getVerificationToken', (await store.getVerificationToken?.(token)) ?? null],
    ['useVerificationToken', await store.useVerificationToken(token)],
    ['getAccounts', await store.getAccounts?.(key)],
    ['listSessions', await store.listSessions?.(key)],
    ['listUsers', await store.listUsers?.({ after: key, limit: 10 })],
    ['getSessionRecords by user', await store.getSessionRecords?.({ userId: key })],
    ['getSessionRecords by id', await store.getSessionRecords?.({ id: key })],
    [
      'getSessionRecords by provider',
      await store.getSessionRecords?.({ provider: 'keycloak', providerSessionId: key })
    ],
    ['readTicket', (await tickets?.read(ticket)) ?? null],
    ['readTickets', (await tickets?.readAll([ticket, { ...ticket, kind: key }]))?.filter((found) => found !== null)],
    ['countTry', (await tickets?.countTry(ticket)) ?? null],
    ['consumeTicket', (await tickets?.consume(ticket)) ?? null],
    ['getFactor', (await factors?.get(factor)) ?? null],
    ['listFactors', await factors?.list(key)],
    ['listEvents', await events?.list({ userId: key, limit: 10 })],
    ['getAccountEvidence', await evidence?.list(key)],
    ['getRevocations', await revocations?.getRevocations([key])]
  ]
}

async function findNothing(t: ContractTest, adapter: Complete, key: string): Promise<void> {
  for (const [method, found] of await readAll(toStore(adapter), key))
    t.same(found ?? null, Array.isArray(found) ? [] : null, `${method} finds nothing`)
}

/** What reads and writes with keys that no row can have do, through Postern: an adapter need not know. */
export const invalidKeys: readonly Case[] = [
  ...toInvalid.map(([title, make]) =>
    it(`reads by a key with ${title} find nothing, and do not fail`, async (t, adapter) => {
      const key = randomUUID()
      await createRows(adapter, [key, `${key}\ufffd`])
      await findNothing(t, adapter, make(key))
    })
  ),

  ...toInvalid.map(([title, make]) =>
    it(`a row whose key has ${title} is refused, and other texts have a replacement`, async (t, adapter) => {
      const store = toStore(adapter)
      const { id } = await adapter.createUser(newUser())
      const account = { ...newAccount({ providerAccountId: make('1') }), userId: id }
      await isRefused(t, () => store.createUser(newUser({ email: make('ada@example.com') })), 'an address')
      await isRefused(t, () => store.linkAccount(account), 'an account')
      await isRefused(t, () => store.createSession(newSession(id, { sessionToken: make('1') })), 'a session')
      await isRefused(t, () => store.createVerificationToken(newToken({ token: make('1') })), 'a one-time token')
      const { name } = await store.updateUser({ id, name: make('Ada') })
      t.equal(name, 'Ada\ufffd', 'the name of a user is stored')
    })
  )
]
