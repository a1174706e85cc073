import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, AdapterUser, Token } from '@postern/core'
import type { Browser, Person } from '@postern/testkit'
import { inTurn, some } from '@postern/testkit/long'
import { type Started, type StartOptions, signInAtIssuer } from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'

export const strategies = ['jwt', 'database'] as const
export type Strategy = (typeof strategies)[number]

/** In `npm test` an attack has one strategy, the next one the other; in the long run each has both. */
export const someStrategies = inTurn(strategies)

export const email = 'victim@example.com'
export const victim: Person = { sub: 'vera', name: 'Vera', email, email_verified: true }
export const mallory: Person = { sub: 'mallory', name: 'M', email: 'mallory@example.com', email_verified: true }
export const key = (sub: string) => ({ provider: 'demo', providerAccountId: sub })

export const stores: readonly (readonly [name: string, open: () => Adapter])[] = [
  ['memory', () => memoryAdapter()],
  ['sqlite', () => sqliteAdapter({ file: ':memory:' })],
  ['without transactions', () => withoutTransactions(memoryAdapter())]
]

const coreMethods = new Set([
  ...['createUser', 'getUser', 'getUserByEmail', 'getUserByAccount', 'updateUser', 'deleteUser', 'linkAccount'],
  ...['unlinkAccount', 'createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
  ...['createVerificationToken', 'useVerificationToken']
])

/** In `npm test` an attack has one store, the next one the next; in the long run each has all. */
export const someStores = inTurn(stores)

/** An adapter with the methods of next-auth v4, and no others. */
export function fourteenMethods(): Adapter {
  return Object.fromEntries(Object.entries(memoryAdapter()).filter(([name]) => coreMethods.has(name)))
}

/** A user as the application's own sign-up form creates it. */
export async function createUser({ adapter }: Started, user: Partial<AdapterUser> = {}): Promise<AdapterUser> {
  const created = await adapter?.createUser?.({ name: null, email, emailVerified: null, ...user })
  if (!created) throw new Error('expected an adapter')
  return created
}

/** Links an account as a row of the store, without a sign-in. */
export async function addAccount({ adapter }: Started, userId: string, sub: string, provider = 'demo'): Promise<void> {
  await adapter?.linkAccount?.({ provider, providerAccountId: sub, type: 'oidc', userId })
}

export async function getAccounts({ adapter }: Started, userId: string): Promise<readonly string[]> {
  return ((await adapter?.getAccounts?.(userId)) ?? []).map(({ providerAccountId }) => providerAccountId).toSorted()
}

export async function getUser({ adapter }: Started, address = email): Promise<AdapterUser | null> {
  return (await adapter?.getUserByEmail?.(address)) ?? null
}

export async function isVerified({ adapter }: Started, userId: string): Promise<boolean> {
  return Boolean((await adapter?.getUser?.(userId))?.emailVerified)
}

export const isRefused = ({ location }: { readonly location: string | null }): boolean =>
  location?.includes('error=OAuthAccountNotLinked') ?? false

/** The attacker's browser: signed in as a user with the victim's address, through an account with another address. */
export async function plantTrojan(started: Started): Promise<{ readonly attacker: Browser; readonly userId: string }> {
  const attacker = started.newBrowser()
  await signInAtIssuer(started, attacker, mallory)
  const userId = (await started.adapter?.getUserByAccount?.(key('mallory')))?.id ?? ''
  await started.adapter?.updateUser?.({ id: userId, email, emailVerified: null })
  return { attacker, userId }
}

export type PausePoint = 'signIn' | 'remember' | 'jwt' | 'session' | 'reclaimUser' | 'createUser' | 'linkAccount'

/** A callback or listener of the application that is slow once: `during` runs inside it. */
export interface Pause {
  during: (() => Promise<unknown>) | null
  ran: boolean
  readonly run: () => Promise<void>
}

export function createPause(): Pause {
  const pause: Pause = {
    during: null,
    ran: false,
    run: async () => {
      const { during } = pause
      if (!during) return
      pause.during = null
      pause.ran = true
      await during()
    }
  }
  return pause
}

export function pauseIn(
  point: PausePoint,
  strategy: Strategy
): { readonly pause: Pause; readonly options: StartOptions } {
  const pause = createPause()
  const { run } = pause
  const callback = {
    signIn: { signIn: () => run().then(() => true) },
    jwt: { jwt: ({ token }: { token: Token }) => run().then(() => token) },
    session: { session: <S>({ session }: { session: S }) => run().then(() => session) }
  }
  const callbacks = point in callback ? callback[point as keyof typeof callback] : {}
  const events = ['reclaimUser', 'createUser', 'linkAccount'].includes(point) ? { [point]: run } : {}
  const remember = point === 'remember' ? { remember: () => run().then(() => true) } : {}
  const session = { strategy, ...remember }
  return { pause, options: { callbacks, events, session, instances: 1, rateLimit: false } }
}

/**
 * The combinations of strategy, slow callback and store; database sessions have no `jwt` callback. In `npm test` each of
 * them occurs, in the long run every combination.
 */
export function combinations<P extends string>(pausePoints: readonly P[]) {
  const all = strategies.flatMap((strategy) =>
    pausePoints
      .filter((point) => strategy === 'jwt' || point !== 'jwt')
      .flatMap((point) =>
        stores.map(([name, open]) => ({
          strategy,
          pausePoint: point,
          open,
          name,
          label: `${strategy}, ${point}, ${name}`
        }))
      )
  )
  return some(all, ({ strategy, pausePoint, name }) => [strategy, pausePoint, name], 1)
}
