// A sign-in method that has read its user before it verified them.
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import type { Feature, SignInMethod } from '@postern/core/feature'
import t from 'tap'
import { getSession, people, start } from './start.ts'

/** A method that reads the user `read`, and says that the user `user` has signed in. */
const createMethod = (accountPolicy: SignInMethod['accountPolicy']): Feature => ({
  id: 'own',
  needs: ['getUserVersion', 'advanceUser'],
  setup: (context) => ({
    signInMethods: [
      {
        id: 'own',
        name: 'Own',
        type: 'own',
        accountPolicy,
        verify: async ({ body }) => {
          const found = (await context.findUser({ userId: String(body['read']) })) ?? undefined
          return { kind: 'identity', providerAccountId: 'account', user: { id: String(body['user']) }, found }
        }
      }
    ]
  })
})

interface Changes {
  readonly accountPolicy?: SignInMethod['accountPolicy']
  readonly hasTransactions?: boolean
}

/** @returns Who is signed in, and how often the user was read. */
async function signIn(
  t: Parameters<typeof start>[0],
  users: readonly ['ada' | 'eve', 'ada' | 'eve'],
  changes: Changes
) {
  const { accountPolicy = 'stored', hasTransactions = true } = changes
  const all = memoryAdapter()
  const create = (name: string) =>
    all.createUser({ name, email: `${name}@example.com`, emailVerified: new Date(), image: null })
  const ids = { ada: (await create('ada')).id, eve: (await create('eve')).id }
  let reads = 0
  const { transact, ...others } = all
  const adapter: Adapter = {
    ...others,
    ...(hasTransactions && { transact }),
    findUserVersion: (by) => {
      reads += 1
      return all.findUserVersion(by)
    }
  }
  const { browser } = await start(t, { adapter, providers: [people, createMethod(accountPolicy)] })
  const [read, user] = users
  await browser.submit('/api/auth/callback/own', { read: ids[read], user: ids[user] })
  return { address: (await getSession(browser)).user?.email ?? null, reads }
}

t.test('the user that the method has read signs in, and is not read again', async (t) => {
  t.same(await signIn(t, ['ada', 'ada'], {}), { address: 'ada@example.com', reads: 1 })
})

t.test('without transactions the user is read again', async (t) => {
  t.same(await signIn(t, ['ada', 'ada'], { hasTransactions: false }), { address: 'ada@example.com', reads: 2 })
})

t.test('a method that has read another user than the one it names signs in the one it names', async (t) => {
  t.same(await signIn(t, ['ada', 'eve'], {}), { address: 'eve@example.com', reads: 2 })
})

t.test('a method whose account tells who signs in signs in nobody that it has read', async (t) => {
  const { address } = await signIn(t, ['ada', 'ada'], { accountPolicy: 'link' })
  t.not(address, 'ada@example.com')
})
