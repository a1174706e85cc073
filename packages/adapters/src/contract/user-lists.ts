import { randomUUID } from 'node:crypto'
import type { AdapterUser, UserQuery } from '@postern/core'
import { type Case, type Complete, itsOptional, type Settings } from './case.ts'
import { hasFields, newUser } from './data.ts'

type ListUsers = (query: UserQuery) => readonly AdapterUser[] | Promise<readonly AdapterUser[]>

const getIds = (users: readonly AdapterUser[]): readonly string[] => users.map(({ id }) => id)

/** Reads the pages that follow an id until one is empty. */
async function readPages(
  list: ListUsers,
  limit: number,
  first: string | null = null
): Promise<readonly (readonly AdapterUser[])[]> {
  const pages: (readonly AdapterUser[])[] = []
  for (let after = first; ; ) {
    const page = await list({ after, limit })
    const last = page.at(-1)
    if (!last) return pages
    pages.push(page)
    after = last.id
  }
}

/** Creates users whose ids sort differently as text, as numbers, and with a collation. */
async function createUsers(adapter: Complete, { ids }: Settings): Promise<readonly AdapterUser[]> {
  const prefix = randomUUID()
  const suffixes = ['9', '10', '0x1f', 'a', 'B', 'é', 'z', '_', '%', `'`, '\\', '👩', 'x'.repeat(150)]
  const given = suffixes.map((suffix) => (ids === 'given' ? `${prefix}${suffix}` : undefined))
  const created: AdapterUser[] = []
  for (const id of [...given, undefined])
    created.push(await adapter.createUser(newUser(id === undefined ? {} : { id })))
  return created
}

/** Listing users. */
export const userLists: readonly Case[] = [
  itsOptional('listUsers', 'returns users as getUser does', async (t, adapter) => {
    const emailVerified = new Date('2031-02-03T04:05:06.789Z')
    const { id } = await adapter.createUser(newUser({ image: 'https://example.com/ada.png', emailVerified }))
    const all = (await readPages((query) => adapter.listUsers(query), 100)).flat()
    const found = all.find((user) => user.id === id)
    hasFields(t, found, (await adapter.getUser(id)) ?? {})
    t.equal(found?.emailVerified?.getTime(), emailVerified.getTime(), 'with its values')
  }),

  itsOptional('listUsers', 'pages return each user once, whatever the form of the id', async (t, adapter, settings) => {
    const created = getIds(await createUsers(adapter, settings))
    const all = getIds((await readPages((query) => adapter.listUsers(query), 100)).flat())
    t.equal(new Set(all).size, all.length, 'no user twice')
    t.same([...created].sort(), all.filter((id) => created.includes(id)).sort(), 'each of them')
    for (const limit of [1, 3, 7]) {
      // The pages from the first of the created users on: there are others in the store.
      const start = all.findIndex((id) => created.includes(id))
      const rest = all.slice(start, start + 30)
      const found: string[] = []
      for (let after = all[start - 1] ?? null; found.length < rest.length; ) {
        const page = getIds(await adapter.listUsers({ after, limit }))
        t.ok(page.length > 0 && page.length <= limit, `at most ${limit}`)
        if (page.length === 0) break
        found.push(...page)
        after = page.at(-1) ?? null
      }
      t.same(found.slice(0, rest.length), rest, `the same order in pages of ${limit}`)
    }
  }),

  itsOptional('listUsers', 'orders users by id', async (t, adapter, { ids }) => {
    if (ids === 'own') return
    // Every collation orders these ids in the same way.
    const created: string[] = []
    while (created.length < 10) created.push((await adapter.createUser(newUser({ id: randomUUID() }))).id)
    const all = getIds((await readPages((query) => adapter.listUsers(query), 100)).flat())
    const found = all.filter((id) => created.includes(id))
    t.same(found, [...created].sort(), 'in order')
  }),

  itsOptional('listUsers', 'continues after a user who was deleted', async (t, adapter, settings) => {
    const created = getIds(await createUsers(adapter, settings))
    const all = getIds((await readPages((query) => adapter.listUsers(query), 100)).flat())
    const [first = '', second = ''] = all.filter((id) => created.includes(id))
    await adapter.deleteUser(first)
    await adapter.deleteUser(second)
    const rest = getIds((await readPages((query) => adapter.listUsers(query), 100, first)).flat())
    // Users of other cases may be between them.
    const others = all.slice(all.indexOf(first) + 1).filter((id) => id !== second)
    t.same(rest, others, 'the others follow')
  }),

  itsOptional('listUsers', 'users who are created meanwhile hide no other user', async (t, adapter, settings) => {
    const created = getIds(await createUsers(adapter, settings))
    const found: string[] = []
    const list: ListUsers = async (query) => {
      const page = await adapter.listUsers(query)
      if (found.length < 1000) await adapter.createUser(newUser())
      found.push(...getIds(page))
      return page.length < 50 ? [] : page
    }
    await readPages(list, 50)
    t.equal(new Set(found).size, found.length, 'no user twice')
    const hidden = created.filter((id) => !found.includes(id))
    t.same(hidden, [], 'no user is left out')
  })
]
