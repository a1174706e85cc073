import { accountPages } from '@postern/account/pages'
import type { Adapter, PosternOptions } from '@postern/core'
import {
  type Browser,
  type Clock,
  type CookieJar,
  createBrowser,
  createClock,
  createIssuer,
  fromFetch,
  type Mailbox,
  type Person
} from '@postern/testkit'
import { createPasswordHasher } from '../src/password/password-hasher.ts'
import { parseStoredPassword } from '../src/password/stored-password.ts'
import type { PairedDatabase } from './access-pair-databases.ts'
import { countCheapHashes } from './cheap-hashes.ts'
import { third } from './email-application.ts'
import { type Application, ada, first, origin, type Strategy, second } from './password-application.ts'
import { openApplication } from './second-factor-application.ts'

export const adminAddress = 'admin@example.com'
export const personOfAda: Person = { sub: 'ada', name: 'Ada', email: ada, email_verified: true }

/** What the users have before the operations. */
export interface Start {
  readonly strategy: Strategy
  readonly hasRow: boolean
  readonly isProven: boolean
}

/** A process of the application. */
export interface Scene {
  readonly app: Application
  readonly clock: Clock
  readonly mailbox: Mailbox
  /** The browser of this name, which is the same in each process. */
  readonly browser: (name: string) => Browser
  /** The way back from the provider. */
  readonly authorize: (location: string | null, person: Person) => Promise<string>
  /** Signs any claims as the provider does. */
  readonly sign: ReturnType<typeof createIssuer>['sign']
  readonly ids: Readonly<Record<'ada' | 'admin', string>>
}

let now: () => number = Date.now
const issuer = createIssuer({ clock: { now: () => now() } })
export const provider = { issuer: issuer.issuer, clientId: issuer.clientId }

const createProvider = (id: string): NonNullable<PosternOptions['providers']>[number] => ({
  ...{ id, name: id, type: 'oidc', issuer: issuer.issuer, clientId: issuer.clientId },
  clientSecret: issuer.clientSecret ?? '',
  authorization: { params: { scope: 'openid email profile' } },
  hooks: { isEmailAuthority: () => true },
  assumeFresh: true,
  allowDangerousEmailAccountLinking: true,
  profile: ({ sub, name, email }) => ({
    id: String(sub),
    name: String(name),
    email: email === undefined ? null : String(email)
  })
})

/** Cookies of browsers by their names. */
export type Jars = Map<string, CookieJar>

/** Opens a process. It is to be closed before the database gets other rows. */
export async function openScene(
  adapter: Adapter,
  { strategy }: Start,
  { jars, clock, ids }: { readonly jars: Jars; readonly clock: Clock; readonly ids: Scene['ids'] }
): Promise<Scene> {
  countCheapHashes(() => undefined)
  now = clock.now
  const app = await openApplication({ teardown: () => undefined }, strategy, {
    adapter,
    providers: ['acme', 'beta'].map(createProvider),
    features: [accountPages()],
    session: { strategy, updateAge: 60 },
    runtime: { now: clock.now, fetch: issuer.fetch }
  })
  const browsers = new Map<string, Browser>()
  const browser = (name: string): Browser => {
    const known = browsers.get(name)
    if (known) return known
    const empty = createBrowser({ origin, send: fromFetch(app.auth.fetch), clock })
    const cookies = jars.get(name) ?? empty.cookies
    jars.set(name, cookies)
    const opened = createBrowser({ origin, send: fromFetch(app.auth.fetch), clock, cookies })
    browsers.set(name, opened)
    return opened
  }
  const authorize: Scene['authorize'] = async (location, person) =>
    (await issuer.authorize(location ?? '', person)).replace(origin, '')
  return { app, clock, mailbox: app.mailbox, browser, authorize, sign: issuer.sign, ids }
}

const hasher = createPasswordHasher(null, () => undefined)
const client = { client: null, clientsBehindIp: 1 }
let hash: Promise<string> | undefined

/** The hash of the password of both users. */
const getHash = (): Promise<string> => {
  countCheapHashes(() => undefined)
  hash ??= hasher.then((hasher) => hasher.hash(first, client))
  return hash
}

async function addUser(adapter: Adapter, scene: Scene, email: string, emailVerified: Date | null): Promise<string> {
  const user = await adapter.createUser?.({ name: null, image: null, email, emailVerified } as never)
  const id = user?.id ?? ''
  await scene.app.auth.features.password.setHash(id, await getHash())
  return id
}

/** Signs in without a request. */
export async function enter(scene: Scene, name: string, id: string): Promise<void> {
  const { cookies } = scene.browser(name)
  const authentication = { amr: ['pwd'], provider: 'acme' }
  for (const [cookie, { value }] of await scene.app.auth.openSession({ id }, origin, authentication))
    if (value !== '') cookies.set(cookie, value, { secure: true })
}

/** What the browsers hold, and when. */
export interface Kept {
  readonly jars: Jars
  readonly time: number
  readonly ids: Scene['ids']
}

export const copyJars = ({ jars }: Pick<Kept, 'jars'>): Jars =>
  new Map([...jars].map(([name, jar]) => [name, jar.clone()]))

/** Ada has an account, a password and two sessions, an administrator one. */
export async function prepareUsers({ other, read, keep, restore }: PairedDatabase, start: Start): Promise<Kept> {
  await restore('empty')
  const jars: Jars = new Map()
  const clock = createClock()
  const scene = await openScene(other, start, { jars, clock, ids: { ada: '', admin: '' } })
  const { auth } = scene.app
  const proven = new Date(clock.now())
  const id = await addUser(other, scene, ada, start.isProven ? proven : null)
  const ids = { ada: id, admin: await addUser(other, scene, adminAddress, proven) }
  await other.linkAccount?.({ type: 'oidc', provider: 'acme', providerAccountId: 'ada', userId: id })
  await read('delete from postern_user')
  clock.advance(1)
  if (start.hasRow) for (const id of Object.values(ids)) await auth.users.changed(id)
  clock.advance(1)
  for (const name of ['own', 'other']) await enter(scene, name, id)
  await enter(scene, 'admin', ids.admin)
  await auth.close()
  clock.advance(10)
  const name = toName(start)
  await keep(name)
  return { jars, time: clock.now(), ids }
}

export const toName = ({ strategy, hasRow, isProven }: Start): string =>
  `${strategy}_${hasRow ? 'row' : 'none'}_${isProven ? 'proven' : 'claimed'}`

/** Which password a stored one is. */
export async function nameOfPassword(data: string): Promise<string> {
  // What the store adds: `.nonce.`
  const { hash } = parseStoredPassword(data.replace(/^\.[^.]*\./, ''))
  if (hash === (await getHash())) return 'first'
  for (const [name, text] of Object.entries({ second, third })) {
    const password = { normalized: text, typed: text }
    if ((await (await hasher).compare(password, hash, client)).isRight) return name
  }
  return 'another'
}
