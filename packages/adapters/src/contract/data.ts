import { randomUUID } from 'node:crypto'
import type {
  Account,
  AccountEvidence,
  AccountKey,
  AdapterSession,
  AdapterUser,
  EventRecord,
  Factor,
  NewUser,
  SessionRecord,
  Ticket,
  VerificationToken
} from '@postern/core'
import type { Complete, ContractTest } from './case.ts'

/** A user who does not exist yet. */
export function newUser(fields: Partial<NewUser> = {}): NewUser {
  const email = `${randomUUID()}@example.com`
  return { name: 'Ada Lovelace', email, image: null, emailVerified: null, ...fields }
}

/** An account that does not exist yet. */
export function newAccount(fields: Partial<Account> = {}): Account {
  return { type: 'oauth', provider: 'github', providerAccountId: randomUUID(), ...fields }
}

/** A session of the user, which expires in an hour. */
export function newSession(userId: string, fields: Partial<AdapterSession> = {}): AdapterSession {
  return { sessionToken: `h1.${randomUUID()}`, userId, expires: inAnHour(), ...fields }
}

/** A one-time token that does not exist yet. */
export function newToken(fields: Partial<VerificationToken> = {}): VerificationToken {
  return { identifier: `${randomUUID()}@example.com`, token: randomUUID(), expires: inAnHour(), ...fields }
}

/** The record of a session of the user, which expires in an hour. */
export function newRecord(userId: string, fields: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: randomUUID(),
    userId,
    sessionToken: null,
    provider: 'keycloak',
    providerSessionId: randomUUID(),
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    address: '192.0.2.1',
    createdAt: new Date('2031-02-03T04:05:06.789Z'),
    lastSeen: new Date('2031-02-03T05:05:06.999Z'),
    expires: inAnHour(),
    data: '{"claims":{"feature":{"level":1}}}',
    ...fields
  }
}

/** A ticket that does not exist yet; it expires in an hour. */
export function newTicket(fields: Partial<Ticket> = {}): Ticket {
  return {
    kind: 'invitation',
    id: randomUUID(),
    userId: null,
    data: `v1.${randomUUID()}`,
    tries: 0,
    expires: inAnHour(),
    ...fields
  }
}

/** A factor of that user that the store does not know yet. */
export function newFactor(userId: string, fields: Partial<Factor> = {}): Factor {
  return {
    type: 'totp',
    id: randomUUID(),
    userId,
    name: 'Phone',
    data: `v1.${randomUUID()}`,
    createdAt: new Date('2031-02-03T04:05:06.789Z'),
    lastUsedAt: null,
    version: 1,
    ...fields
  }
}

/** An event that the store does not know yet. */
export function newEvent(fields: Partial<EventRecord> = {}): EventRecord {
  return {
    id: randomUUID(),
    time: new Date('2031-02-03T04:05:06.789Z'),
    type: 'sign-in',
    userId: randomUUID(),
    sessionId: randomUUID(),
    ip: '192.0.2.1',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    provider: 'keycloak',
    requestId: randomUUID(),
    data: '{}',
    ...fields
  }
}

/** Evidence that an account proved an email address. */
export function newEvidence(
  { provider, providerAccountId, userId }: AccountKey & { readonly userId: string },
  fields: Partial<AccountEvidence> = {}
): AccountEvidence {
  const verifiedAt = new Date('2031-02-03T04:05:06.789Z')
  return { provider, providerAccountId, userId, email: `${randomUUID()}@example.com`, verifiedAt, ...fields }
}

/** An hour from now. */
export function inAnHour(): Date {
  return new Date(Date.now() + 3_600_000)
}

/** Creates a user with an account and a session. */
export async function createPerson(
  adapter: Complete
): Promise<{ user: AdapterUser; account: Account & { userId: string }; session: AdapterSession }> {
  const user = await adapter.createUser(newUser())
  const account = { ...newAccount(), userId: user.id }
  const session = newSession(user.id)
  await adapter.linkAccount(account)
  await adapter.createSession(session)
  return { user, account, session }
}

/** Asserts that nothing was found: `null`, or `undefined` for some adapters. */
export function isNone(t: ContractTest, found: unknown, message: string): void {
  t.equal(found ?? null, null, message)
}

/** Asserts that the value has these fields; dates are compared to the millisecond. */
export function hasFields(t: ContractTest, found: object | null | undefined, expected: object): void {
  const fields = new Map<string, unknown>(Object.entries(found ?? {}))
  for (const [name, value] of Object.entries(expected)) t.equal(plain(fields.get(name)), plain(value), name)
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}

/** Asserts that the call fails because a key exists already. */
export async function isDuplicate(t: ContractTest, call: () => unknown, message: string): Promise<void> {
  const [outcome] = await Promise.allSettled([Promise.resolve().then(call)])
  const reason: unknown = outcome.status === 'rejected' ? outcome.reason : null
  t.equal(reason instanceof Error ? reason.name : 'none', 'DuplicateError', message)
}

/** Asserts that the call fails. */
export async function isRefused(t: ContractTest, call: () => unknown, message: string): Promise<void> {
  const [outcome] = await Promise.allSettled([Promise.resolve().then(call)])
  t.equal(outcome.status, 'rejected', message)
}

/** The results of several concurrent calls. */
export async function race<T>(
  callers: number,
  call: (caller: number) => T | Promise<T>
): Promise<{ readonly winners: readonly Awaited<T>[]; readonly losers: number }> {
  const calls = Array.from({ length: callers }, async (_, caller) => await call(caller))
  const outcomes = await Promise.allSettled(calls)
  const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  return { winners, losers: callers - winners.length }
}
