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

const methods: readonly MemberSignIn[] = (['theirs', 'ours'] as const).flatMap((adapter) => [
  { adapter, session: { strategy: 'jwt' } },
  { adapter, session: { strategy: 'jwt', revocations: false } },
  { adapter, session: { strategy: 'database', storage: 'plain' } }
])

/** In `npm test` each adapter and each way to keep sessions occurs, in the long run each with each. */
const someMethods = some(methods, ({ adapter, session }) => [adapter, JSON.stringify(session)], 1)

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
      countErrors(t, 'next-auth', nextAuth)
      countErrors(t, 'the new build', postern)
    }
  )
}

t.test('the figures', async (t) => {
  const { users, accounts, reads, signIns, signOuts, unlinked, errors } = total
  t.comment(
    `next-auth v4 database: ${users} users, ${accounts} accounts, ${reads} session reads, ${signIns} sign-ins: ` +
      `${signOuts} sign-outs, ${unlinked} unlinked accounts, ${errors} errors`
  )
  t.ok(reads > 0 && signIns > 0)
  t.same({ signOuts, unlinked, errors }, { signOuts: 0, unlinked: 0, errors: 0 })
})
