import { type BrowserResponse, createBrowser, createClock, createRandom, fromFetch } from '@postern/testkit'
import type { Adapter, AdapterUser, NewUser } from '../../src/adapter/adapter.ts'
import { type Account, createPostern } from '../../src/index.ts'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { type Case, clientId, clientSecret, type Facts, getFacts } from './facts.ts'
import { accessToken, type ProviderServer, providerServer } from './server.ts'

const origin = 'https://app.test'

interface Kept {
  readonly users: NewUser[]
  readonly accounts: Account[]
}

/** A store without other users. */
function getStore({ users, accounts }: Kept): Adapter {
  const asUser = (user: NewUser): AdapterUser => ({ ...user, id: 'user-1' })
  return {
    createUser: asUser,
    createUserWithAccount: (user, account) => {
      users.push(user)
      accounts.push(account)
      return asUser(user)
    },
    getUser: () => null,
    getUserByEmail: () => null,
    getUserByAccount: (key) =>
      accounts.some(({ providerAccountId }) => providerAccountId === key.providerAccountId) && users[0]
        ? asUser(users[0])
        : null,
    updateUser: (user) => ({ email: null, emailVerified: null, ...user }),
    linkAccount: () => null
  }
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

function checkConfig(config: OAuthConfig, { id, name, type, style }: Facts, problems: string[]): void {
  if (config.id !== id) problems.push(`id: expected ${id}, got ${config.id}`)
  if (config.name !== name) problems.push(`name: expected ${name}, got ${config.name}`)
  if (config.type !== type) problems.push(`type: expected ${type}, got ${config.type}`)
  const given: Readonly<Record<string, unknown>> = { ...config.style }
  for (const [part, expected] of Object.entries(style ?? {})) {
    if (part !== 'logo' && given[part] !== expected) problems.push(`style ${part}: expected ${expected}`)
  }
}

function checkUser({ users: [user], accounts: [account] }: Kept, facts: Facts, now: number, problems: string[]): void {
  const { id, ...person } = facts.person
  const verified = facts.verified ?? false
  const email = person['email']
  const expected: Readonly<Record<string, unknown>> = {
    name: null,
    image: null,
    ...person,
    email: typeof email === 'string' ? email.toLowerCase() : null,
    emailVerified: verified && email ? new Date(now) : null
  }
  const found: Readonly<Record<string, unknown>> = { ...user }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    if (!same(found[name] ?? null, expected[name] ?? null))
      problems.push(`user ${name}: expected ${String(expected[name])}, got ${String(found[name])}`)
  }
  const { expiresIn = 3600 } = facts
  const row = {
    provider: facts.id,
    type: facts.type,
    providerAccountId: String(id),
    access_token: facts.tokens?.['access_token'] || accessToken,
    scope: facts.scope,
    expires_at: expiresIn === null ? undefined : now / 1000 + expiresIn
  }
  for (const [name, value] of Object.entries(row)) {
    const came = Object.entries(account ?? {}).find(([field]) => field === name)?.[1]
    if ((came ?? undefined) !== value) problems.push(`account ${name}: expected ${value}, got ${String(came)}`)
  }
}

function getEnvironment({ id, issuer }: Facts): Readonly<Record<string, string>> {
  const name = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  const client = { [`${name}_ID`]: clientId, [`${name}_SECRET`]: clientSecret }
  return { NODE_ENV: 'production', ...client, ...(issuer ? { [`${name}_ISSUER`]: issuer } : {}) }
}

interface Scene {
  readonly start: () => Promise<BrowserResponse>
  readonly finish: (location: string) => Promise<BrowserResponse>
  readonly user: () => Promise<unknown>
}

function getScene(config: OAuthConfig, facts: Facts, server: ProviderServer, stored: Kept, log: string[]): Scene {
  const clock = createClock()
  const write = (_code: string, metadata: unknown): void => {
    log.push(Object(metadata).message ?? String(metadata))
  }
  const auth = createPostern(
    {
      url: origin,
      secret: 'a secret of more than thirty-two characters',
      providers: [config],
      session: { strategy: 'jwt' },
      adapter: getStore(stored),
      logger: { error: write, warn: write, debug: () => undefined },
      runtime: { now: clock.now, randomBytes: createRandom(), fetch: server.fetch }
    },
    getEnvironment(facts)
  )
  const browser = createBrowser({ origin, clock, send: fromFetch(auth.fetch) })
  const callback = `/api/auth/callback/${facts.id}`
  const cross = { 'sec-fetch-site': 'cross-site' }
  return {
    start: () => browser.submit(`/api/auth/signin/${facts.id}`, { callbackUrl: '/inside' }),
    finish: async (location) => {
      const result = server.authorize(location)
      const query = new URLSearchParams(result)
      if (!facts.formPost) return browser.open(`${callback}?${query}`, { headers: cross })
      const posted = Object.entries(facts.formPost).filter((entry): entry is [string, string] => entry[1] !== null)
      const body = new URLSearchParams({ ...result, ...Object.fromEntries(posted) })
      const sent = await browser.post(callback, String(body), { ...cross, origin: 'https://provider.test' })
      return sent.status === 303 ? browser.follow(sent) : sent
    },
    user: async () => (await browser.json<{ user?: unknown }>('/api/auth/session')).user
  }
}

async function refused(
  scene: Scene,
  { refusal }: Facts,
  server: ProviderServer,
  log: readonly string[]
): Promise<void> {
  if (!refusal) return
  server.refuse()
  const { location } = await scene.start()
  const end = await scene.finish(location ?? '')
  if (!end.location?.includes('error=OAuthCallback')) server.problems.push(`refused: got ${end.location}`)
  if (!log.join().includes(refusal.says)) server.problems.push(`refused: expected the log to contain ${refusal.says}`)
}

/**
 * Drives one whole sign-in with a provider.
 *
 * @param change - Changes the provider before it is handed in.
 * @returns The differences from the recording; empty if the provider is right.
 */
export async function signIn(
  id: string,
  testCase: Case,
  change: (config: OAuthConfig) => OAuthConfig = (config) => config
): Promise<readonly string[]> {
  const facts = getFacts(id, testCase)
  const config = change(testCase.make())
  const now = createClock().now
  const server = providerServer(facts, now)
  const { problems } = server
  checkConfig(config, facts, problems)
  const [stored, log]: [Kept, string[]] = [{ users: [], accounts: [] }, []]
  try {
    const scene = getScene(config, facts, server, stored, log)
    const { location } = await scene.start()
    const end = await scene.finish(location ?? '')
    if (end.location !== 'https://app.test/inside') problems.push(`ended at ${end.status} ${end.location}`, ...log)
    checkUser(stored, facts, now(), problems)
    const user = Object(await scene.user())
    const { name = null, image = null } = facts.person
    if (!same([user.name, user.image ?? null], [name, image])) problems.push(`session: got ${JSON.stringify(user)}`)
    const missing = ['token', ...(facts.isOidc ? ['discovery'] : []), ...(facts.asksUserinfo ? ['userinfo'] : [])]
    for (const kind of missing) if (!server.requests.includes(kind)) problems.push(`${kind} was not asked for`)
    await refused(scene, facts, server, log)
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  }
  return problems
}
