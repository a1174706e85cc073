import { type Entry, isUncertain, type Ledger, type Person } from '../oracle/ledger.ts'
import type { Rows } from './rows.ts'

const count = <T>(list: readonly T[], isMeant: (item: T) => boolean): number => list.filter(isMeant).length

function grouped<T>(list: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** What belongs to one user. */
interface Index {
  readonly users: ReadonlyMap<string, Rows['users']>
  readonly accounts: ReadonlyMap<string, Rows['accounts']>
  readonly sessions: ReadonlyMap<string, readonly unknown[]> | null
  readonly links: ReadonlyMap<string, readonly unknown[]>
  /** How many cookies of a person are good, and of how many that is not known. */
  readonly cookies: ReadonlyMap<string, { readonly good: number; readonly unknown: number }>
}

function indexOf(ledger: Ledger, { users, accounts, sessions, links }: Rows): Index {
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

/** What is wrong with what is stored, held against what clients were told; nothing, where all is well. */
export function findingsOf(ledger: Ledger, rows: Rows): readonly string[] {
  const people = [...ledger.entries.values()]
  const index = indexOf(ledger, rows)
  return [
    ...ledger.complaints,
    ...ofNobody(
      rows,
      people.map(({ person }) => person)
    ),
    ...owners(
      rows,
      people.map(({ person }) => person)
    ),
    ...people.flatMap((entry) => [...usersOf(entry, index), ...sessionsOf(entry, index), ...linksOf(entry, index)])
  ]
}

function ofNobody({ users, accounts, sessions }: Rows, people: readonly Person[]): readonly string[] {
  const ids = new Set(users.map(({ id }) => id))
  const addresses = new Set(people.map(({ address }) => address))
  return [
    ...accounts.filter(({ userId }) => !ids.has(userId)).map(({ key }) => `the account ${key} has no user`),
    ...(sessions ?? [])
      .filter(({ userId }) => !ids.has(userId))
      .map(({ userId }) => `a session has no user: ${userId}`),
    ...users
      .filter(({ email }) => !addresses.has(email ?? ''))
      .map(({ id, email }) => `nobody asked for user ${email ?? id}`)
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

const storyOf = ({ person, tries }: Entry): string =>
  `${person.name}, told ${tries.map(({ told }) => told).join(', ') || 'nothing'}`

function usersOf(entry: Entry, { users, accounts }: Index): readonly string[] {
  const { person, tries } = entry
  const own = users.get(person.address) ?? []
  const isTold = tries.some(({ told }) => told === 'session')
  const lockedOut = own.filter(({ id, isProven }) => !isProven && !accounts.has(id))
  return [
    ...(own.length > 1 ? [`${storyOf(entry)}: ${own.length} users`] : []),
    ...(isTold && own.length === 0 ? [`${storyOf(entry)}: no user`] : []),
    ...lockedOut.map(() => `${storyOf(entry)}: a user without an account and without a proven address`)
  ]
}

/** Whoever was told of a session has one; others are there only where an answer was lost. */
function sessionsOf(entry: Entry, { users, sessions, cookies }: Index): readonly string[] {
  if (!sessions) return []
  const { person, tries } = entry
  const stored = (users.get(person.address) ?? []).reduce((sum, { id }) => sum + (sessions.get(id)?.length ?? 0), 0)
  const { good, unknown } = cookies.get(person.name) ?? { good: 0, unknown: 0 }
  const most = good + unknown + count(tries, ({ told }) => isUncertain(told))
  if (stored >= good && stored <= most) return []
  return [`${storyOf(entry)}: ${stored} sessions, expected ${good === most ? good : `${good} to ${most}`}`]
}

function linksOf(entry: Entry, { users, sessions, links }: Index): readonly string[] {
  const { person, tries } = entry
  const opened = tries.flatMap(({ link, told }) => (link ? [{ link, told }] : []))
  const isUnused = links.has(person.address)
  const hasSession = (users.get(person.address) ?? []).some(({ id }) => sessions?.has(id) ?? true)
  return [...grouped(opened, ({ link }) => link).values()].flatMap((uses) => {
    const won = count(uses, ({ told }) => told === 'session')
    if (won > 1) return [`${storyOf(entry)}: one link made ${won} sessions`]
    const isSilent = uses.every(({ told }) => told === 'cut')
    return isSilent && !isUnused && !hasSession ? [`${storyOf(entry)}: a link is used up, and nobody was told`] : []
  })
}
