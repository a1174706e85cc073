import { type Entry, isUncertain, type Ledger, type Person } from './ledger.ts'
import type { Rows } from './rows.ts'

const count = <T>(list: readonly T[], isExpectedDifference: (item: T) => boolean): number =>
  list.filter(isExpectedDifference).length

function grouped<T>(list: readonly T[], getKey: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of list) groups.set(getKey(item), [...(groups.get(getKey(item)) ?? []), item])
  return groups
}

/** The rows of each user. */
interface Index {
  readonly users: ReadonlyMap<string, Rows['users']>
  readonly accounts: ReadonlyMap<string, Rows['accounts']>
  readonly sessions: ReadonlyMap<string, readonly unknown[]> | null
  readonly links: ReadonlyMap<string, readonly unknown[]>
  /** The number of valid cookies of a person, and of cookies in an unknown state. */
  readonly cookies: ReadonlyMap<string, { readonly good: number; readonly unknown: number }>
}

function createIndex(ledger: Ledger, { users, accounts, sessions, links }: Rows): Index {
  const cookies = new Map<string, { good: number; unknown: number }>()
  for (const { person, state } of ledger.cookies.values()) {
    const own = cookies.get(person.name) ?? { good: 0, unknown: 0 }
    if (state !== 'ended') own[state] += 1
    cookies.set(person.name, own)
  }
  return {
    users: grouped(users, ({ email }) => email ?? ''),
    accounts: grouped(accounts, ({ userId }) => userId),
    sessions: sessions && grouped(sessions, ({ userId }) => userId),
    links: grouped(links, (address) => address),
    cookies
  }
}

/** Compares the stored rows with the responses that clients received, and returns the inconsistencies. */
export function getFindings(ledger: Ledger, rows: Rows): readonly string[] {
  const people = [...ledger.entries.values()]
  const index = createIndex(ledger, rows)
  return [
    ...ledger.complaints,
    ...withoutOwner(
      rows,
      people.map(({ person }) => person)
    ),
    ...owners(
      rows,
      people.map(({ person }) => person)
    ),
    ...people.flatMap((entry) => [...getUsers(entry, index), ...getSessions(entry, index), ...getLinks(entry, index)])
  ]
}

function withoutOwner({ users, accounts, sessions }: Rows, people: readonly Person[]): readonly string[] {
  const ids = new Set(users.map(({ id }) => id))
  const addresses = new Set(people.map(({ address }) => address))
  return [
    ...accounts.filter(({ userId }) => !ids.has(userId)).map(({ key }) => `the account ${key} has no user`),
    ...(sessions ?? [])
      .filter(({ userId }) => !ids.has(userId))
      .map(({ userId }) => `a session has no user: ${userId}`),
    ...users
      .filter(({ email }) => !addresses.has(email ?? ''))
      .map(({ id, email }) => `no one requested user ${email ?? id}`)
  ]
}

function owners({ users, accounts }: Rows, people: readonly Person[]): readonly string[] {
  const addresses = new Map(users.map(({ id, email }) => [id, email]))
  const rightful = new Map(
    people.flatMap(({ address, accounts = [] }) => accounts.map((key) => [key, address] as const))
  )
  const several = [...grouped(accounts, ({ key }) => key)].filter(([, own]) => own.length > 1)
  const foreign = accounts.filter(({ key, userId }) => rightful.has(key) && addresses.get(userId) !== rightful.get(key))
  return [
    ...several.map(([key, own]) => `the account ${key} is there ${own.length} times`),
    ...foreign.map(({ key, userId }) => `the account ${key} belongs to ${addresses.get(userId) ?? userId}`)
  ]
}

const getHistory = ({ person, tries }: Entry): string =>
  `${person.name}, who received ${tries.map(({ result }) => result).join(', ') || 'nothing'}`

function getUsers(entry: Entry, { users, accounts }: Index): readonly string[] {
  const { person, tries } = entry
  const own = users.get(person.address) ?? []
  const isReported = tries.some(({ result }) => result === 'session')
  const lockedOut = own.filter(({ id, isProven }) => !isProven && !accounts.has(id))
  return [
    ...(own.length > 1 ? [`${getHistory(entry)}: ${own.length} users`] : []),
    ...(isReported && own.length === 0 ? [`${getHistory(entry)}: no user`] : []),
    ...lockedOut.map(() => `${getHistory(entry)}: a user without an account and without a proven address`)
  ]
}

/** A client that received a session has one; others exist only if a response was lost. */
function getSessions(entry: Entry, { users, sessions, cookies }: Index): readonly string[] {
  if (!sessions) return []
  const { person, tries } = entry
  const stored = (users.get(person.address) ?? []).reduce((sum, { id }) => sum + (sessions.get(id)?.length ?? 0), 0)
  const { good, unknown } = cookies.get(person.name) ?? { good: 0, unknown: 0 }
  const max = good + unknown + count(tries, ({ result }) => isUncertain(result))
  if (stored >= good && stored <= max) return []
  return [`${getHistory(entry)}: ${stored} sessions, expected ${good === max ? good : `${good} to ${max}`}`]
}

function getLinks(entry: Entry, { users, sessions, links }: Index): readonly string[] {
  const { person, tries } = entry
  const opened = tries.flatMap(({ link, result }) => (link ? [{ link, visitResult: result }] : []))
  const isUnused = links.has(person.address)
  const hasSession = (users.get(person.address) ?? []).some(({ id }) => sessions?.has(id) ?? true)
  return [...grouped(opened, ({ link }) => link).values()].flatMap((uses) => {
    const won = count(uses, ({ visitResult: result }) => result === 'session')
    if (won > 1) return [`${getHistory(entry)}: one link made ${won} sessions`]
    const isSilent = uses.every(({ visitResult: result }) => result === 'cut')
    return isSilent && !isUnused && !hasSession
      ? [`${getHistory(entry)}: a link is consumed, and no client was informed`]
      : []
  })
}
