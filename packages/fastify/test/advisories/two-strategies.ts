import credentials from '@postern/core/providers/credentials'
import type { Test } from 'tap'
import {
  getSession,
  origin,
  type Started,
  type StartOptions,
  signInAtIssuer,
  signInByForm,
  signInByMail
} from '../start.ts'
import { startInstance, takeTo } from './claim-races-setup.ts'
import {
  createPause,
  createUser,
  email,
  isRefused,
  key,
  mallory,
  plantTrojan,
  type Strategy,
  someStores,
  someStrategies,
  strategies,
  victim
} from './linking-setup.ts'
import type { Replay } from './replay.ts'

interface Pair {
  readonly label: string
  /** Where the sessions are that have to end. */
  readonly other: Started
  /** Where they are ended, with the other session strategy. */
  readonly acting: Started
}

const opposite: Readonly<Record<Strategy, Strategy>> = { jwt: 'database', database: 'jwt' }

/** Two registrations of one application on one store; revocations are read for each request. */
async function startPairs(
  t: Test,
  more: StartOptions = {},
  used: readonly Strategy[] = strategies
): Promise<readonly Pair[]> {
  const constants = { revocationRefresh: 0 }
  const pairs = used.flatMap((strategy) =>
    someStores().map(async ([name, open]): Promise<Pair> => {
      const adapter = open()
      const other = await startInstance(t, { adapter, session: { strategy }, constants })
      const session = { strategy: opposite[strategy] }
      const acting = await startInstance(t, { adapter, session, constants, ...more })
      return { label: `${strategy} sessions, ${name}`, other, acting }
    })
  )
  return Promise.all(pairs)
}

/** Registrations that share a store and a secret, one with JWT sessions and one with database sessions. */
export const twoStrategies: readonly Replay[] = [
  [
    'T01',
    'the owner claims the user at one registration: the attacker keeps a session of the other strategy',
    async (t) => {
      for (const { label, other, acting } of await startPairs(t)) {
        const { attacker } = await plantTrojan(other)
        t.match(await getSession(attacker), { user: {} }, `${label}: signed in before`)
        t.ok((await getSession(attacker)).user, label)
        t.notOk(isRefused(await signInByMail(acting, acting.browser, email)), label)
        t.same(await getSession(attacker), {}, `${label}: the attacker is signed out`)
        t.match(await getSession(acting.browser), { user: { email } }, `${label}: the owner is signed in`)
      }
    }
  ],
  [
    'T02',
    'sessions are ended at one registration: those of the other strategy stay',
    async (t) => {
      type End = (pair: Pair, userId: string) => Promise<unknown>
      const ends: Readonly<Record<string, End>> = {
        revokeAll: ({ acting }, userId) => acting.app.postern.sessions.revokeAll(userId),
        deleteUser: ({ acting }, userId) => acting.app.postern.deleteUser(userId),
        unlink: async ({ acting }, userId) => {
          await acting.adapter?.linkAccount?.({ ...key('second'), type: 'oidc', userId })
          await acting.app.postern.unlink(userId, key('vera'))
        }
      }
      for (const [name, end] of Object.entries(ends)) {
        for (const pair of await startPairs(t, {}, someStrategies())) {
          const { other, acting, label } = pair
          await signInAtIssuer(other, other.browser, victim)
          await signInAtIssuer(acting, acting.browser, victim)
          const userId = (await other.adapter?.getUserByAccount?.(key('vera')))?.id ?? ''
          t.ok((await getSession(other.browser)).user, label)
          await end(pair, userId)
          t.same(await getSession(other.browser), {}, `${name}, ${label}`)
          t.same(await getSession(acting.browser), {}, `${name}, ${label}: own`)
        }
      }
    }
  ],
  [
    'T03',
    'a user signs out everywhere else at one registration: sessions of the other strategy stay',
    async (t) => {
      const routes = new URL('../session-manager-routes.js', import.meta.url).href
      for (const { label, other, acting } of await startPairs(t, { routes })) {
        await signInAtIssuer(other, other.browser, victim)
        await signInAtIssuer(acting, acting.browser, victim)
        await acting.browser.json('/others')
        t.same(await getSession(other.browser), {}, label)
        t.match(await getSession(acting.browser), { user: { email } }, `${label}: own`)
      }
    }
  ],
  [
    'T04',
    'a form of a registration that proves no address: a password outlives a claim at another registration',
    async (t) => {
      for (const strategy of strategies) {
        for (const claiming of strategies) {
          for (const [name, open] of someStores()) {
            const adapter = open()
            const pause = createPause()
            const passwords = new Set<string>()
            const form = credentials({
              credentials: { name: { label: 'Name' } },
              authorize: async () => {
                const isRight = passwords.has(id)
                await pause.run()
                return isRight ? { id, email } : null
              }
            })
            const shop = await startInstance(t, { adapter, session: { strategy }, providers: [form] })
            const { id } = await createUser(shop)
            passwords.add(id)
            const events = { claimUser: () => passwords.clear() }
            const admin = await startInstance(t, { adapter, session: { strategy: claiming }, events })
            pause.during = () => signInByMail(admin, admin.browser, email)
            await signInByForm(shop.browser)
            t.ok(pause.ran)
            t.same(await getSession(shop.browser), {}, `${strategy}, claimed with ${claiming}, ${name}`)
          }
        }
      }
    }
  ],
  [
    'T05',
    'after a claim, a form whose ids are not the ids of users can never be linked again',
    async (t) => {
      for (const [name, open] of someStores()) {
        const form = credentials({
          credentials: { name: { label: 'Name' } },
          authorize: () => ({ id: 'employee-1', email })
        })
        const options = { adapter: open(), session: { strategy: 'database' }, form } as const
        const issuer = await startInstance(t, options)
        const attacker = issuer.newBrowser()
        t.notOk(isRefused(await signInByForm(attacker)), `${name}: the first sign-in creates the user`)
        await signInByMail(issuer, issuer.browser, email)
        t.same(await getSession(attacker), {}, `${name}: the claim ends the session`)
        // No form signs in within 30 seconds of a claim.
        const later = await startInstance(t, { ...options, ahead: 60_000 })
        const stranger = later.newBrowser()
        t.ok(isRefused(await signInByForm(stranger)), `${name}: the password alone is not proof of the address`)
        const otherUser = later.newBrowser()
        await signInAtIssuer(later, otherUser, mallory)
        t.ok(isRefused(await signInByForm(otherUser)), `${name}: nor is a session of another user`)
        const owner = takeTo(later, issuer.browser)
        const linked = await signInByForm(owner)
        t.equal(linked.location, origin, `${name}: the owner, signed in, links the form`)
        await signInByForm(stranger)
        t.match(await getSession(stranger), { user: { email } }, `${name}: from then on it signs in`)
      }
    }
  ],
  [
    'T06',
    'a session that a user left open links a form',
    async (t) => {
      const form = credentials({
        credentials: { name: { label: 'Name' } },
        authorize: () => ({ id: 'employee-1', email })
      })
      const started = await startInstance(t, { session: { strategy: 'database' }, form })
      await createUser(started, { emailVerified: new Date(0) })
      await signInByMail(started, started.browser, email)
      const aged = await startInstance(t, {
        adapter: started.adapter,
        session: { strategy: 'database' },
        form,
        ahead: 11 * 60_000
      })
      const late = takeTo(aged, started.browser)
      t.ok(isRefused(await signInByForm(late)), 'eleven minutes after the sign-in')
    }
  ],
  [
    'T07',
    'a form sign-in that is in progress outlives the deletion of its user (JWT)',
    async (t) => {
      for (const [name, open] of someStores()) {
        const pause = createPause()
        const form = credentials({
          credentials: { name: { label: 'Name' } },
          authorize: async () => {
            await pause.run()
            return { id, email }
          }
        })
        const started = await startInstance(t, { adapter: open(), session: { strategy: 'jwt' }, form })
        const { id } = await createUser(started, { emailVerified: new Date(0) })
        pause.during = () => started.app.postern.deleteUser(id)
        await signInByForm(started.browser)
        t.ok(pause.ran)
        t.same(await getSession(started.browser), {}, name)
      }
    }
  ],
  [
    'T08',
    'mails that cannot be sent use up the limit of their address',
    async (t) => {
      let isDown = true
      const sent: string[] = []
      const sendMail = async (_server: unknown, { to }: { to: string }): Promise<void> => {
        if (isDown) throw new Error('the server refused')
        sent.push(to)
      }
      const started = await startInstance(t, { rateLimit: {}, runtime: { sendMail } })
      const ask = () => started.newBrowser().submit('/api/auth/signin/email', { email })
      for (let count = 0; count < 8; count++) await ask()
      isDown = false
      await ask()
      t.same(sent, [email])
      for (let count = 0; count < 8; count++) await ask()
      t.ok(sent.length < 8, 'mails that were sent count')
    }
  ],
  [
    'T09',
    'an invitation for an address with capitals cannot be redeemed by its mailbox',
    async (t) => {
      const started = await startInstance(t, {})
      const { id } = await createUser(started, { email: 'Victim@Example.com' })
      await started.app.postern.invite(id, { expiresIn: 60 })
      await signInByMail(started, started.browser, 'victim@example.com')
      t.equal((await started.adapter?.getUser?.(id))?.emailVerified instanceof Date, true, 'the user is joined')
      t.match(await getSession(started.browser), { user: { email: 'Victim@Example.com' } })
    }
  ]
]
