import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { PosternOptions } from '@postern/core'
import { type Browser, createCookieJar, type Issuer, type Person } from '@postern/testkit'
import type { Test } from 'tap'
import { type Store, stores } from '../adapters/stores.ts'
import { startNextAuth } from '../next-auth.ts'
import { origin, type Started, startPostern } from '../postern.ts'
import { serve } from '../side-by-side/pair.ts'

/** How the new build runs on the database of next-auth v4. */
export interface MemberSignIn {
  readonly session: NonNullable<PosternOptions['session']>
  /** Whose adapter the new build uses. */
  readonly adapter: 'theirs' | 'ours'
  /** The providers whose addresses count as proven on the new build. */
  readonly trusted: readonly string[]
}

/** Two providers, and both servers with one database and one secret. */
export interface World {
  readonly store: Store
  readonly nextAuth: Started
  /** Starts Postern in addition to next-auth. */
  readonly startOurs: () => Promise<Started>
  /** Signs in through a provider. @returns What is wrong with any response on the way, or `null`. */
  readonly signIn: (browser: Browser, provider: string, person: Person) => Promise<string | null>
  /** Signs in on the new build by a mailed link. @returns What is wrong with any response on the way, or `null`. */
  readonly signInByMail: (browser: Browser, email: string) => Promise<string | null>
}

export const providerIds = ['one', 'two'] as const

/** A provider as an application of next-auth v4 configures it: it says nothing about addresses. */
function getProvider(id: string, { issuer, clientId, clientSecret }: Issuer) {
  return {
    id,
    name: id,
    type: 'oauth' as const,
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    clientId,
    clientSecret: clientSecret ?? '',
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    checks: ['pkce' as const, 'state' as const],
    profile: ({ sub, name, email }: Record<string, string>) => ({ id: sub ?? '', name, email })
  }
}

async function startIssuers(t: Test): Promise<ReadonlyMap<string, Issuer>> {
  const issuers = new Map<string, Issuer>()
  for (const id of providerIds) issuers.set(id, await serve(t))
  return issuers
}

/** Makes the database, and starts next-auth v4 on it. */
export async function createWorld(t: Test, { session, adapter, trusted }: MemberSignIn): Promise<World> {
  const file = `${t.testdir()}/app.db`
  const store = stores['@auth/drizzle-adapter']?.(t, file)
  if (!store) throw new TypeError('expected the adapter')
  const issuers = await startIssuers(t)
  const providers = [...issuers].map(([id, issuer]) => getProvider(id, issuer))
  const ours = providers.map((provider) =>
    trusted.includes(provider.id) ? { ...provider, verifiesEmail: ['example.com'] } : provider
  )
  const links: string[] = []
  const mail = {
    ...{ id: 'email', name: 'Email', type: 'email' as const, server: 'smtp://mail.test', from: 'a@app.test' },
    confirm: 'never' as const,
    sendVerificationRequest: async ({ url }: { readonly url: string }) => void links.push(url)
  }
  const { strategy } = session
  const nextAuth = await startNextAuth(t, Object({ adapter: store.adapter, providers, session: { strategy } }))
  const startOurs = async (): Promise<Started> => {
    const own = adapter === 'ours' ? sqliteAdapter({ file }) : null
    if (own) t.teardown(() => own.close())
    const runtime: NonNullable<PosternOptions['runtime']> = {
      fetch: async (url, init) => {
        const issuer = [...issuers.values()].find(({ issuer }) => url.startsWith(issuer))
        if (!issuer) throw new TypeError(`no server responds at ${url}`)
        return issuer.fetch(url, init)
      }
    }
    const all = [...ours, mail]
    return startPostern(t, { adapter: own ?? store.adapter, providers: all, session, runtime, rateLimit: false })
  }
  const signIn: World['signIn'] = async (browser, provider, person) => {
    const response = await browser.submit(`/api/auth/signin/${provider}`, {})
    const issuer = issuers.get(provider)
    if (!issuer || !response.location?.startsWith(issuer.issuer))
      return `start: ${response.status} ${response.location}`
    const callback = await issuer.authorize(response.location, person)
    const { status, location } = await browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
    return location === origin ? null : `callback: ${status} ${location}`
  }
  const signInByMail: World['signInByMail'] = async (browser, email) => {
    const { status } = await browser.submit('/api/auth/signin/email', { email })
    const link = links.pop()
    if (!link) return `start: ${status}, and no mail`
    const response = await browser.open(link)
    return response.location === origin ? null : `link: ${response.status} ${response.location}`
  }
  return { store, nextAuth, startOurs, signIn, signInByMail }
}

/** A user with an account at each provider, and the cookies of their devices. */
export interface Member {
  readonly email: string
  readonly person: (provider: string) => Person
  readonly devices: ReturnType<typeof createCookieJar>[]
}

/** What providers say of an address; most of them nothing. */
const statements = [{}, { email_verified: true }, { email_verified: false }] as const

export function createMembers(count: number): readonly Member[] {
  return Array.from({ length: count }, (_, index) => {
    const email = `member-${index}@example.com`
    const output = statements[index % statements.length]
    const person = (provider: string): Person => ({
      sub: `${provider}-${index}`,
      name: `Member ${index}`,
      email,
      ...output
    })
    return { email, person, devices: [] }
  })
}

/** A device that no one has signed in on. */
export function newDevice({ devices }: Member): ReturnType<typeof createCookieJar> {
  const jar = createCookieJar()
  devices.push(jar)
  return jar
}
