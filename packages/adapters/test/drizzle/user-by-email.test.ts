import t from 'tap'
import { type AddressCounts, createUserByEmail } from '../../src/drizzle/user-by-email.ts'

const user = { id: '1', name: null, email: 'Ada@example.com', emailVerified: null, image: null }

function create(counts: AddressCounts) {
  const statements: string[] = []
  const methods = createUserByEmail({
    database: 'test',
    findExact: async (email) => {
      statements.push('exact')
      return email === 'exact@example.com' ? { user: { ...user, email }, version: null } : null
    },
    findInLowerCase: async () => {
      statements.push('in lower case')
      return [{ user, version: null }]
    },
    count: async () => counts,
    correction: 'update …;',
    listing: 'select …;',
    index: 'create index …;'
  })
  return { ...methods, statements }
}

t.test('an address that is found exactly takes one statement', async (t) => {
  const { getUserByEmail, statements } = create({ users: 3, capitals: 3, shared: 0 })
  t.equal((await getUserByEmail('exact@example.com'))?.email, 'exact@example.com')
  t.same(statements, ['exact'])
})

for (const [name, counts, found] of [
  ['a small table without capitals is searched', { users: 100_000, capitals: 0, shared: 0 }, '1'],
  ['a large table with capitals is searched', { users: 100_001, capitals: 1, shared: 0 }, '1'],
  ['a large table without capitals is not', { users: 100_001, capitals: 0, shared: 0 }, undefined]
] as const)
  t.test(`${name} a second time`, async (t) => {
    const { getUserByEmail, findProblems } = create(counts)
    t.equal((await getUserByEmail('ada@example.com'))?.id, '1', 'as long as the users are not counted')
    const problems = await findProblems()
    t.equal((await getUserByEmail('ada@example.com'))?.id, found)
    t.equal(problems.length, counts.capitals)
    if (counts.capitals > 0) t.match(problems[0]?.message, /scans the table, unless there is an index: create index/)
  })
