import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, OAuthConfig } from '@postern/core'
import pinterest from '@postern/core/providers/pinterest'
import trakt from '@postern/core/providers/trakt'
import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { type Started, type StartOptions, start } from './start.ts'

/** A person at the provider: a stable id, and a name that can pass to another person. */
interface Person {
  readonly id: string
  readonly name: string
}

/** How a provider names its users. */
interface Named {
  readonly make: (options: { clientId: string; clientSecret: string }) => OAuthConfig
  readonly toProfile: (person: Person) => object
  readonly ids: readonly [one: string, other: string, third: string]
}

const providers = {
  pinterest: {
    make: pinterest,
    toProfile: ({ id, name }) => ({ id, username: name, profile_image: 'https://i.pinimg.com/1.jpg' }),
    ids: ['2783136121146311751', '2783136121146311752', '2783136121146311753']
  },
  trakt: {
    make: trakt,
    toProfile: ({ id, name }) => ({ user: { username: name, name, ids: { slug: name, uuid: id } } }),
    ids: [
      'b6589fc6ab0dc82cf12099d1c2d40ab994e8410c',
      '356a192b7913b04c54574d18c28d46e6395428ab',
      'da4b9237bacccdf19c0760cab7aec4a8359010b0'
    ]
  }
} satisfies Readonly<Record<string, Named>>

type Test = Parameters<typeof start>[0]

/** The clock of the applications. */
const now = Date.parse('2040-01-01')

/** An application with the provider. The code of a sign-in is the person. */
async function prepare(t: Test, { make, toProfile }: Named, adapter: Adapter): Promise<Started> {
  const runtime = {
    now: () => now,
    fetch: async (_address: string, init: RequestInit): Promise<Response> => {
      if (init.method === 'POST') {
        const code = new URLSearchParams(String(init.body)).get('code') ?? ''
        return Response.json({ access_token: code, token_type: 'bearer', expires_in: 3600 })
      }
      const token = new Headers(init.headers).get('authorization')?.slice('Bearer '.length) ?? ''
      return Response.json(toProfile(JSON.parse(atob(token))))
    }
  }
  const provider = make({ clientId: 'client', clientSecret: 'secret' })
  const callbacks: NonNullable<StartOptions['callbacks']> = {
    session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user?.id } })
  }
  return start(t, { adapter, providers: [provider], session: { strategy: 'database' }, runtime, callbacks })
}

/** Signs a person in. @returns The status of the callback, and the id of the user. */
async function signIn(
  browser: Browser,
  provider: string,
  person: Person
): Promise<{ status: number; id: string | null }> {
  const { location } = await browser.submit(`/api/auth/signin/${provider}`, {})
  const state = new URL(location ?? '').searchParams.get('state') ?? ''
  const query = new URLSearchParams({ code: btoa(JSON.stringify(person)), state })
  const back = await browser.open(`/api/auth/callback/${provider}?${query}`)
  const { user } = await browser.json<{ user?: { id?: string } }>('/api/auth/session')
  return { status: back.status, id: user?.id ?? null }
}

/** Stores the account of a person as next-auth did, under the name. @returns The id of the user. */
async function storeFormer(adapter: Adapter, provider: string, providerAccountId: string): Promise<string> {
  const user = await adapter.createUser?.({ name: providerAccountId, email: null, emailVerified: null })
  const userId = user?.id ?? ''
  await adapter.linkAccount?.({ provider, type: 'oauth', providerAccountId, userId, access_token: 'old' })
  return userId
}

const without = (method: keyof Adapter): Adapter => ({ ...memoryAdapter(), [method]: undefined })
const stores: readonly (readonly [string, () => Adapter])[] = [
  ['in one transaction', memoryAdapter],
  ['call by call', () => without('transact')]
]
const storeTurns = turnsOf(stores, t)

for (const [id, named] of Object.entries<Named>(providers)) {
  const [one, other, third] = named.ids

  t.test(
    `${id}: the account has the stable id, so a name that passes to another person signs in nobody else`,
    async (t) => {
      const { newBrowser, adapter } = await prepare(t, named, memoryAdapter())
      const first = await signIn(newBrowser(), id, { id: one, name: 'ada' })
      t.ok(first.id)
      t.match(await adapter?.getUserByAccount?.({ provider: id, providerAccountId: one }), { id: first.id })
      t.notOk(await adapter?.getUserByAccount?.({ provider: id, providerAccountId: 'ada' }))
      t.equal((await signIn(newBrowser(), id, { id: one, name: 'ada2' })).id, first.id, 'the person has a new name')
      const second = await signIn(newBrowser(), id, { id: other, name: 'ada' })
      t.ok(second.id)
      t.not(second.id, first.id)
    }
  )

  for (const {
    value: [store, make],
    test
  } of storeTurns()) {
    test(`${id}: an account with the name as its id gets the stable id at the next sign-in, ${store}`, async (t) => {
      const stored = make()
      const { newBrowser, adapter } = await prepare(t, named, stored)
      const owner = await storeFormer(stored, id, 'ada')
      t.equal((await signIn(newBrowser(), id, { id: one, name: 'ada' })).id, owner)
      const accounts = (await adapter?.getAccounts?.(owner)) ?? []
      t.same(
        accounts.map(({ providerAccountId }) => providerAccountId),
        [one],
        'there is one account'
      )
      t.not(accounts[0]?.access_token, 'old')
      const { version = 0 } = (await stored.getUserVersion?.(owner)) ?? {}
      t.ok(version >= now, 'the version is of the time of the application')
      t.equal((await signIn(newBrowser(), id, { id: one, name: 'ada2' })).id, owner, 'the name has changed since')
      t.not((await signIn(newBrowser(), id, { id: other, name: 'ada' })).id, owner, 'another person has the name')
    })
  }

  t.test(`${id}: a name that looks like the id of another person is no former id`, async (t) => {
    const { newBrowser } = await prepare(t, named, memoryAdapter())
    const victim = await signIn(newBrowser(), id, { id: one, name: 'ada' })
    const attacker = await signIn(newBrowser(), id, { id: third, name: one })
    t.ok(attacker.id)
    t.not(attacker.id, victim.id)
  })

  t.test(`${id}: two sign-ins at once rename the account once`, async (t) => {
    const stored = memoryAdapter()
    const { newBrowser, adapter } = await prepare(t, named, stored)
    const owner = await storeFormer(stored, id, 'ada')
    const people = [newBrowser(), newBrowser(), newBrowser()].map((browser) =>
      signIn(browser, id, { id: one, name: 'ada' })
    )
    for (const { id: user } of await Promise.all(people)) t.equal(user, owner)
    t.equal((await adapter?.getAccounts?.(owner))?.length, 1)
  })
}

t.test('a store that cannot remove accounts gets no second user for a former id', async (t) => {
  const stored = without('unlinkAccount')
  const { newBrowser, adapter } = await prepare(t, providers.pinterest, stored)
  const owner = await storeFormer(stored, 'pinterest', 'ada')
  const [one] = providers.pinterest.ids
  const { status, id } = await signIn(newBrowser(), 'pinterest', { id: one, name: 'ada' })
  t.equal(status, 503)
  t.equal(id, null)
  t.match(await adapter?.getUserByAccount?.({ provider: 'pinterest', providerAccountId: 'ada' }), { id: owner })
  t.notOk(await adapter?.getUserByAccount?.({ provider: 'pinterest', providerAccountId: one }))
})
