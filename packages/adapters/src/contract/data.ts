import { randomUUID } from 'node:crypto'
import type { Account, AdapterSession, AdapterUser, NewUser, SessionRecord, VerificationToken } from '@postern/core'
import type { Complete, ContractTest } from './case.ts'

/** A person whom the store does not know yet. */
export function newUser(fields: Partial<NewUser> = {}): NewUser {
  const email = `${randomUUID()}@example.com`
  return { name: 'Ada Lovelace', email, image: null, emailVerified: null, ...fields }
}

/** An account that the store does not know yet. */
export function newAccount(fields: Partial<Account> = {}): Account {
  return { type: 'oauth', provider: 'github', providerAccountId: randomUUID(), ...fields }
}

/** A session of that user, which ends in an hour. */
export function newSession(userId: string, fields: Partial<AdapterSession> = {}): AdapterSession {
  return { sessionToken: `h1.${randomUUID()}`, userId, expires: inAnHour(), ...fields }
}

/** A one-time token that the store does not know yet. */
export function newToken(fields: Partial<VerificationToken> = {}): VerificationToken {
  return { identifier: `${randomUUID()}@example.com`, token: randomUUID(), expires: inAnHour(), ...fields }
}

/** The record of a session of that user, which ends in an hour. */
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
    ...fields
  }
}

/** An hour from now. */
export function inAnHour(): Date {
  return new Date(Date.now() + 3_600_000)
}

/** A user with an account and a session. */
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

/** Asserts that there is none: `null`, or `undefined` as some adapters have it. */
export function isNone(t: ContractTest, found: unknown, message: string): void {
  t.equal(found ?? null, null, message)
}

/** Asserts that it has these fields, dates to the millisecond. */
export function hasFields(t: ContractTest, found: object | undefined, wanted: object): void {
  const fields = new Map<string, unknown>(Object.entries(found ?? {}))
  for (const [name, value] of Object.entries(wanted)) t.equal(plain(fields.get(name)), plain(value), name)
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}

/** Asserts that the call fails because a key is taken. */
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

/** What so many callers get who call at the same moment. */
export async function race<T>(
  callers: number,
  call: (caller: number) => T | Promise<T>
): Promise<{ readonly winners: readonly Awaited<T>[]; readonly losers: number }> {
  const calls = Array.from({ length: callers }, async (_, caller) => await call(caller))
  const outcomes = await Promise.allSettled(calls)
  const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  return { winners, losers: callers - winners.length }
}
