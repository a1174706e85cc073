import { createCookieJar } from '@postern/testkit'
import { some, times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { getRows } from '../adapters/stores.ts'
import type { Started } from '../postern.ts'
import {
  createMembers,
  createWorld,
  type Member,
  type MemberSignIn,
  newDevice,
  providerIds,
  type World
} from './world.ts'

/** What must not happen while applications move from next-auth v4, by what it is. */
interface Figures {
  users: number
  accounts: number
  reads: number
  signIns: number
  signOuts: number
  unlinked: number
  errors: number
}

const total: Figures = { users: 0, accounts: 0, reads: 0, signIns: 0, signOuts: 0, unlinked: 0, errors: 0 }

/** Reads the session of every device at these servers. */
async function readAll(t: Test, servers: readonly Started[], members: readonly Member[], when: string) {
  for (const { email, devices } of members) {
    for (const jar of devices) {
      for (const server of servers) {
        const { user } = await server.browser(jar).json<{ user?: { email?: string } }>('/api/auth/session')
        total.reads += 1
        if (user?.email === email) continue
        total.signOuts += 1
        t.fail(`${when}: ${email} is signed out`)
      }
    }
  }
}

/** Signs every member in through each provider: on a new device, and on one that is signed in already. */
async function signInAll(t: Test, { signIn }: World, server: Started, members: readonly Member[]) {
  for (const member of members) {
    for (const provider of providerIds) {
      for (const jar of [newDevice(member), ...member.devices.slice(0, 1)]) {
        const problem = await signIn(server.browser(jar), provider, member.person(provider))
        total.signIns += 1
        if (problem === null) continue
        total.errors += 1
        t.fail(`${member.email} signs in through ${provider}: ${problem}`)
      }
    }
  }
}

const getAccounts = ({ store }: World): readonly string[] =>
  getRows(store, 'account')
    .map(({ provider, providerAccountId, userId }) => `${provider} ${providerAccountId} ${userId}`)
    .sort()

const getUsers = ({ store }: World): readonly string[] =>
  getRows(store, 'user').map(({ id, email }) => `${id} ${email}`)

function countErrors(t: Test, name: string, { log }: Started): void {
  for (const { level, code, metadata } of log) {
    if (level !== 'error') continue
    total.errors += 1
    t.fail(`${name} logs ${code}`, { metadata })
  }
}

const methods: readonly MemberSignIn[] = (['theirs', 'ours'] as const).flatMap((adapter) =>
  [[], ['one']].flatMap((trusted): readonly MemberSignIn[] => [
    { adapter, trusted, session: { strategy: 'jwt' } },
    { adapter, trusted, session: { strategy: 'jwt', revocations: false } },
    { adapter, trusted, session: { strategy: 'database', storage: 'plain' } }
  ])
)

/** In `npm test` each adapter, each way to keep sessions and each trust occurs, in the long run each with each. */
const someMethods = some(
  methods,
  ({ adapter, session, trusted }) => [adapter, JSON.stringify(session), trusted.join()],
  1
)

/** The addresses that are proven: no other is written by a sign-in through an account that is linked. */
const getProven = ({ store }: World): readonly string[] =>
  getRows(store, 'user').flatMap(({ email, emailVerified }) => (emailVerified === null ? [] : [String(email)]))

for (const method of someMethods) {
  t.test(
    `a next-auth v4 database, ${JSON.stringify(method)}: users do not notice the second application`,
    async (t) => {
      const members = createMembers(times(2, 6))
      const world = await createWorld(t, method)
      const { nextAuth, store } = world
      for (const member of members) {
        const [jar, other] = [newDevice(member), newDevice(member)]
        for (const provider of providerIds) {
          t.equal(await world.signIn(nextAuth.browser(jar), provider, member.person(provider)), null)
        }
        t.equal(await world.signIn(nextAuth.browser(other), 'two', member.person('two')), null)
      }
      const [users, accounts] = [getUsers(world), getAccounts(world)]
      t.equal(users.length, members.length)
      t.equal(accounts.length, 2 * members.length, 'two accounts each')
      t.ok(
        getRows(store, 'user').every(({ emailVerified }) => emailVerified === null),
        'next-auth leaves emailVerified null'
      )
      total.users += users.length
      total.accounts += accounts.length

      const postern = await world.startOurs()
      const both = [postern, nextAuth]
      await readAll(t, both, members, 'with both applications')
      for (const [server, title] of [
        [postern, 'signed in on the new build'],
        [nextAuth, 'back on next-auth'],
        [postern, 'on the new build again']
      ] as const) {
        await signInAll(t, world, server, members)
        await readAll(t, both, members, title)
      }
      const left = new Set(getAccounts(world))
      total.unlinked += accounts.filter((account) => !left.has(account)).length
      t.same([...left], accounts, 'the accounts are those of before')
      t.same(getUsers(world), users, 'and so are the users')
      const stated = members.filter((member) => member.person('one')['email_verified'] !== false)
      const expected = method.trusted.length > 0 ? stated.map(({ email }) => email) : []
      t.same(getProven(world), expected, 'a trusted provider proves an address, and any other only claims it')
      countErrors(t, 'next-auth', nextAuth)
      countErrors(t, 'the new build', postern)
    }
  )
}

t.test('a next-auth v4 database: by a mailed link, the owner of the mailbox keeps only what is proven', async (t) => {
  const session = { strategy: 'database', storage: 'plain' } as const
  const world = await createWorld(t, { adapter: 'ours', trusted: ['one'], session })
  const { nextAuth, signIn, signInByMail } = world
  const person = (provider: string) => ({ sub: provider, name: 'Ada', email: 'ada@example.com', email_verified: true })
  const before = createCookieJar()
  for (const provider of providerIds) t.equal(await signIn(nextAuth.browser(before), provider, person(provider)), null)
  t.equal(getAccounts(world).length, 2)

  const postern = await world.startOurs()
  const owner = createCookieJar()
  t.equal(await signInByMail(postern.browser(owner), 'ada@example.com'), null)
  t.match(await postern.browser(owner).json('/api/auth/session'), { user: { email: 'ada@example.com' } })
  t.match(getAccounts(world), [/^one /], 'the stored ID Token of a trusted provider proves the address')
  t.same(getProven(world), ['ada@example.com'])
  for (const server of [postern, nextAuth])
    t.same(await server.browser(before).json('/api/auth/session'), {}, 'sessions from before have ended')
  t.equal(await signIn(postern.browser(), 'one', person('one')), null)
  t.match(await signIn(postern.browser(), 'two', person('two')), /OAuthAccountNotLinked/, 'the other is removed')
})

t.test('the figures', async (t) => {
  const { users, accounts, reads, signIns, signOuts, unlinked, errors } = total
  t.comment(
    `next-auth v4 database: ${users} users, ${accounts} accounts, ${reads} session reads, ${signIns} sign-ins: ` +
      `${signOuts} sign-outs, ${unlinked} unlinked accounts, ${errors} errors`
  )
  t.ok(reads > 0 && signIns > 0)
  t.same({ signOuts, unlinked, errors }, { signOuts: 0, unlinked: 0, errors: 0 })
})
