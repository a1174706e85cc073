import type { OAuthConfig } from '@postern/core'
import type { BrowserResponse } from '@postern/testkit'
import { inTurn, isComplete } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { type Addresses, findAddresses, freshWithin, getUser, id, isHome, type Site, startSite } from './site.ts'
import type { Visitor } from './visitor.ts'

/** A server that runs, and what its user does on its pages. */
export interface RunningServer {
  readonly provider: Partial<OAuthConfig>
  /** Does what the page asks for; the next page. */
  readonly act: (visitor: Visitor, page: BrowserResponse) => Promise<BrowserResponse>
  /** Signs out at the server, without the application. */
  readonly leave?: (visitor: Visitor) => Promise<unknown>
}

/** What is tested with a server. */
export interface ServerCase {
  readonly name: string
  readonly version: string
  /** Why it cannot run here. @defaultValue `false`: it can */
  readonly skip?: string | false
  /** What the session has of the user. */
  readonly user: Readonly<Record<string, unknown>>
  readonly offers: {
    readonly refresh: boolean
    /** Whether the server returns the user after the sign-out. */
    readonly signOut: boolean
    readonly backchannelLogout: boolean
    /** Whether the server asks for a new sign-in, and states its time. Some do not ask right after a sign-in. */
    readonly fresh: 'always' | 'unless recent' | false
  }
  readonly start: (t: Test, site: Addresses) => Promise<RunningServer>
}

interface World {
  readonly site: Site
  readonly server: RunningServer
  /** Goes on until the visitor is back; the number of pages of the server. */
  readonly arrive: (visitor: Visitor, page: BrowserResponse) => Promise<{ page: BrowserResponse; steps: number }>
  readonly signIn: (visitor: Visitor) => Promise<{ page: BrowserResponse; steps: number }>
}

const strategies = inTurn(['database', 'jwt'] as const)

async function startWorld(t: Test, server: ServerCase, strategy: 'database' | 'jwt'): Promise<World> {
  const addresses = await findAddresses()
  const running = await server.start(t, addresses)
  const site = await startSite(t, { ...addresses, strategy }, running.provider)
  const arrive: World['arrive'] = async (visitor, first) => {
    let page = first
    let steps = 0
    for (; !isHome(site, page); steps++) {
      if (steps === 8) throw new Error(`the visitor is still at ${page.url}: ${page.status} ${page.body}`)
      page = await running.act(visitor, page)
    }
    return { page, steps }
  }
  const signIn: World['signIn'] = async (visitor) => {
    const away = await visitor.at(site.origin).submit(`/api/auth/signin/${id}`, {})
    return arrive(visitor, await visitor.follow(away))
  }
  return { site, server: running, arrive, signIn }
}

async function testRefresh(t: Test, { site, signIn }: World): Promise<void> {
  const visitor = site.newVisitor()
  await signIn(visitor)
  const token = async () => (await visitor.at(site.origin).json<{ token: string }>('/token')).token
  const before = site.refreshes()
  const first = await token()
  t.type(first, 'string')
  t.equal(site.refreshes(), before + 1, 'one refresh')
  const [one, other] = await Promise.all([token(), token()])
  t.equal(one, other, 'two calls at once have one token')
  t.equal(site.refreshes(), before + 2, 'of one refresh')
  t.type(await token(), 'string')
  t.equal(site.refreshes(), before + 3, 'the refresh token that came last is used')
}

async function testSignOut(t: Test, { site, arrive, signIn }: World): Promise<void> {
  const visitor = site.newVisitor()
  const { steps } = await signIn(visitor)
  const fields = { provider: 'true', callbackUrl: '/?left' }
  const away = await visitor.at(site.origin).submit('/api/auth/signout', fields)
  t.equal(await getUser(site, visitor), null, 'the session here has ended')
  const { page } = await arrive(visitor, await visitor.follow(away))
  t.equal(page.url, `${site.origin}/?left`)
  t.equal((await signIn(visitor)).steps, steps, 'the session at the server has ended too')
}

async function testBackchannelLogout(t: Test, { site, server, signIn }: World): Promise<void> {
  const visitor = site.newVisitor()
  await signIn(visitor)
  t.ok(await getUser(site, visitor))
  const logout = site.nextLogout()
  await server.leave?.(visitor)
  t.equal(await logout, 200)
  t.equal(await getUser(site, visitor), null)
}

async function testFreshGuard(
  t: Test,
  { site, arrive, signIn }: World,
  asks: 'always' | 'unless recent'
): Promise<void> {
  const visitor = site.newVisitor()
  await signIn(visitor)
  const browser = visitor.at(site.origin)
  t.equal((await browser.open('/fresh')).body, 'fresh')
  site.setForward(freshWithin + 60)
  const verify = await browser.followAll(await browser.open('/fresh'))
  t.match(verify.body, 'Confirm that it is you')
  const away = await browser.fill(verify, `/api/auth/signin/${id}`)
  site.setForward(0)
  const { page, steps } = await arrive(visitor, await visitor.follow(away))
  t.equal(page.body, 'fresh')
  if (asks === 'always') t.ok(steps > 0, 'the server has asked the user')
  site.setForward(freshWithin - 60)
  t.equal((await browser.open('/fresh')).body, 'fresh')
}

/**
 * Declares the tests of a server.
 *
 * @param isQuick - Whether `npm test` has them too.
 */
export function declareTests(server: ServerCase, isQuick = false): void {
  const { name, version, offers, user } = server
  const missing = isQuick || isComplete ? (server.skip ?? false) : 'identity servers are part of the complete long run'
  const isRequired = Boolean(process.env['POSTERN_REQUIRE_ALL'])
  const skip = isRequired && isComplete ? false : missing
  for (const strategy of strategies()) {
    t.test(`${name} ${version}, ${strategy} sessions`, { skip }, async (t) => {
      const world = await startWorld(t, server, strategy)
      const { site } = world
      await t.test('a user signs in', async (t) => {
        const visitor = site.newVisitor()
        const { page } = await world.signIn(visitor)
        t.equal(page.body, 'home', site.log.map((line) => JSON.stringify(line)).join('\n'))
        t.match(await getUser(site, visitor), user)
      })
      if (offers.refresh) await t.test('tokens are refreshed, and only once at a time', (t) => testRefresh(t, world))
      if (offers.signOut) await t.test('a user signs out here and there', (t) => testSignOut(t, world))
      if (offers.backchannelLogout)
        await t.test('signing out there ends the session here', (t) => testBackchannelLogout(t, world))
      const { fresh } = offers
      if (fresh) await t.test('a guard has the user authenticate again', (t) => testFreshGuard(t, world, fresh))
    })
  }
}
