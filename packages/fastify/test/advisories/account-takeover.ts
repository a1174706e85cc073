import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { times } from '@postern/testkit/long'
import { getSession, signInAtIssuer, signInByForm, signInByMail, start } from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import {
  createUser,
  email,
  getAccounts,
  isRefused,
  key,
  mallory,
  plantTrojan,
  someStrategies,
  victim
} from './linking-setup.ts'
import type { Replay } from './replay.ts'

const preparedUsers: readonly Replay[] = [
  [
    'P1a',
    'a sign-up form creates a user with the address of a victim, who then signs in at a provider',
    async (t) => {
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy } })
        const user = await createUser(started)
        t.ok(isRefused(await signInAtIssuer(started, started.browser, victim)), strategy)
        t.same(await getSession(started.browser), {})
        t.same(await getAccounts(started, user.id), [])
        t.equal((await started.adapter?.getUser?.(user.id))?.emailVerified ?? null, null)
      }
    }
  ],
  [
    'P1b',
    'an account with an unverified address is unlinked, so that the victim finds a user without accounts',
    async (t) => {
      const started = await start(t)
      await signInAtIssuer(started, started.newBrowser(), { ...mallory, email, email_verified: false })
      const user = await started.adapter?.getUserByAccount?.(key('mallory'))
      const id = user?.id ?? ''
      await t.rejects(started.app.postern.unlink(id, key('mallory')), { code: 'LAST_WAY_IN' })
      await started.adapter?.unlinkAccount?.(key('mallory'))
      t.ok(isRefused(await signInAtIssuer(started, started.browser, victim)))
      t.same(await getAccounts(started, id), [])
    }
  ],
  [
    'P1c',
    'what an attacker attached to an unverified address outlives the proof of its owner',
    async (t) => {
      for (const strategy of someStrategies()) {
        const claims: object[] = []
        const passwords = new Set<string>()
        const events = {
          reclaimUser: ({ user, removed }: { user: { id: string }; removed: object }) => {
            claims.push(removed)
            passwords.delete(user.id)
          }
        }
        const started = await start(t, { session: { strategy }, events, instances: 1 })
        const { attacker, userId } = await plantTrojan(started)
        passwords.add(userId)
        await started.app.postern.invite(userId, { expiresIn: 60 })
        t.ok((await getSession(attacker)).user, 'the attacker is signed in')

        await signInByMail(started, started.browser, email)
        t.match(await getSession(started.browser), { user: { email } }, strategy)
        t.same(await getSession(attacker), {}, 'the session of the attacker has ended')
        t.same(await getAccounts(started, userId), [])
        t.same(claims, [{ accounts: [key('mallory')] }, { accounts: [] }], 'the event lists what was removed')
        t.equal(passwords.size, 0)
        t.ok(
          isRefused(await signInAtIssuer(started, started.newBrowser(), { ...victim, sub: 'late' })),
          'the invitation ended, too'
        )
        await signInByMail(started, started.newBrowser(), email)
        t.equal(claims.length, 2, 'a verified address is claimed by no one')
      }
    }
  ],
  [
    'P1d',
    'the application cannot delete its password, and the takeover continues without it',
    async (t) => {
      const state = { isBroken: true }
      const events = {
        reclaimUser: () => {
          if (state.isBroken) throw new Error('the password store is down')
        }
      }
      const started = await start(t, { session: { strategy: 'database' }, events, instances: 1 })
      const { attacker, userId } = await plantTrojan(started)
      await started.browser.submit('/api/auth/signin/email', { email })
      const { url } = started.mailbox.last()
      t.match((await started.browser.open(url)).location, /error=Callback/)
      t.same(await getSession(started.browser), {})
      t.same(await getAccounts(started, userId), ['mallory'], 'nothing was removed')
      t.ok((await getSession(attacker)).user)
      t.equal((await started.adapter?.getUser?.(userId))?.emailVerified ?? null, null)
      state.isBroken = false
      await started.browser.open(url)
      t.match(await getSession(started.browser), { user: { email } }, 'the link was not consumed')
    }
  ],
  [
    'P1e',
    'a sign-in through an account that is linked already removes what the user has',
    async (t) => {
      for (const strategy of someStrategies()) {
        const claims: object[] = []
        const events = { reclaimUser: (claim: object) => void claims.push(claim) }
        const started = await start(t, { session: { strategy }, events })
        const user = await createUser(started)
        for (const [provider, sub] of [
          ['demo', 'vera'],
          ['other', '1']
        ] as const)
          await started.adapter?.linkAccount?.({ provider, providerAccountId: sub, type: 'oidc', userId: user.id })
        const first = started.newBrowser()
        await signInAtIssuer(started, first, { ...victim, email_verified: false })
        await signInAtIssuer(started, started.browser, victim)
        t.ok((await started.adapter?.getUser?.(user.id))?.emailVerified, 'it verifies the address')
        t.match(await getSession(first), { user: { email } }, 'sessions stay')
        t.same(await getAccounts(started, user.id), ['1', 'vera'], 'accounts stay')
        t.same(claims, [])
      }
    }
  ],
  [
    'P1f',
    'linking an account to a signed-in user counts as a proof of the address',
    async (t) => {
      const started = await start(t, { session: { strategy: 'database' } })
      const { attacker, userId } = await plantTrojan(started)
      await signInAtIssuer(started, attacker, { ...victim })
      t.same(await getAccounts(started, userId), ['mallory', 'vera'])
      t.equal((await started.adapter?.getUser?.(userId))?.emailVerified ?? null, null, 'it does not verify it')
      await signInByMail(started, started.browser, email)
      t.same(await getAccounts(started, userId), ['vera'], 'the account that proved this address stays')
      t.same(await getSession(attacker), {})
    }
  ],
  [
    'P1g',
    'an adapter that cannot end sessions or remove accounts verifies an address anyway',
    async (t) => {
      for (const [strategy, missing] of [
        ['database', 'deleteSessions'],
        ['jwt', 'revoke'],
        ['database', 'getAccounts'],
        ['database', 'unlinkAccount']
      ] as const) {
        const { [missing]: _, ...adapter } = memoryAdapter()
        const started = await start(t, { session: { strategy }, adapter: adapter as Adapter })
        const user = await createUser(started)
        t.ok(isRefused(await signInByMail(started, started.browser, email)), missing)
        t.same(await getSession(started.browser), {})
        t.equal((await started.adapter?.getUser?.(user.id))?.emailVerified ?? null, null)
        t.ok(started.log.some((line) => line.includes(missing) && line.includes('sign-in by email is refused')))
        await signInByMail(started, started.browser, 'new@example.com')
        t.match(await getSession(started.browser), { user: { email: 'new@example.com' } }, 'a new user is not a join')
      }
    }
  ]
]

const trojans: readonly Replay[] = [
  [
    'P2a',
    'an account of a provider that verifies addresses stays, although it proved another one',
    async (t) => {
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy }, demo: { verifiesEmail: true } })
        const { userId } = await plantTrojan(started)
        await signInByMail(started, started.browser, email)
        t.same(await getAccounts(started, userId), [], strategy)
        const back = started.newBrowser()
        await signInAtIssuer(started, back, mallory)
        t.match(await getSession(back), { user: { email: 'mallory@example.com' } }, 'it leads to a separate user')
      }
    }
  ],
  [
    'P2b',
    'the ID Token of another issuer is taken for evidence of the address',
    async (t) => {
      const claims = { iss: 'https://elsewhere.test', sub: 'mallory', email, email_verified: true }
      const idToken = (changes: object): string =>
        ['{"alg":"RS256"}', JSON.stringify({ ...claims, ...changes }), 'signature']
          .map((part) => Buffer.from(part).toString('base64url'))
          .join('.')
      const started = await start(t)
      const { issuer } = started.issuer
      const cases = [
        ['another issuer', idToken({}), false],
        ['another address', idToken({ iss: issuer, email: 'mallory@example.com' }), false],
        ['an unverified one', idToken({ iss: issuer, email_verified: false }), false],
        ['a text for true', idToken({ iss: issuer, email_verified: 'true' }), false],
        ['no token', 'a.b', false],
        ['evidence', idToken({ iss: issuer }), true]
      ] as const
      for (const [title, id_token, stays] of cases) {
        const user = await createUser(started)
        await started.adapter?.linkAccount?.({ ...key(title), type: 'oidc', userId: user.id, id_token })
        await signInByMail(started, started.newBrowser(), email)
        t.same(await getAccounts(started, user.id), stays ? [title] : [], title)
        await started.app.postern.deleteUser(user.id)
      }
    }
  ]
]

const invitations: readonly Replay[] = [
  [
    'P1h',
    'an invitation is redeemed by another address, another kind of provider, too late, or twice',
    async (t) => {
      const cases = [
        ['the address at a provider that verifies it', { verifiesEmail: true }, victim, 60, true],
        ['a provider that nobody trusts', { verifiesEmail: false }, victim, 60, false],
        [
          'the provider reports it as unverified',
          { verifiesEmail: true },
          { ...victim, email_verified: false },
          60,
          false
        ],
        ['another address', { verifiesEmail: true }, mallory, 60, false],
        ['after it expired', { verifiesEmail: true }, victim, 1, false]
      ] as const
      for (const [title, demo, person, expiresIn, joins] of cases) {
        const started = await start(t, { demo, session: { strategy: 'database' } })
        const user = await createUser(started)
        const planted = { sessionToken: 'planted', userId: user.id, expires: new Date(started.clock.now() + 60_000) }
        await started.adapter?.createSession?.(planted)
        await started.app.postern.invite(user.id, { expiresIn })
        started.clock.advance(2)
        await signInAtIssuer(started, started.browser, person)
        t.equal((await getAccounts(started, user.id)).length, joins ? 1 : 0, title)
        t.equal((await started.adapter?.getSessionAndUser?.('planted')) === null, joins, 'a join ends older sessions')
        t.equal(Boolean((await started.adapter?.getUser?.(user.id))?.emailVerified), joins)
      }
    }
  ],
  [
    'P1i',
    'an invitation outlives a change of the address, or works for a second account',
    async (t) => {
      const started = await start(t, { demo: { verifiesEmail: true } })
      const { app, adapter, newBrowser } = started
      const user = await createUser(started)
      await app.postern.invite(user.id, { expiresIn: 60 })
      await adapter?.updateUser?.({ id: user.id, email: 'mallory@example.com' })
      t.ok(isRefused(await signInAtIssuer(started, newBrowser(), mallory)), 'the address changed')
      await adapter?.updateUser?.({ id: user.id, email })
      await signInAtIssuer(started, newBrowser(), victim)
      t.same(await getAccounts(started, user.id), ['vera'])
      t.ok(isRefused(await signInAtIssuer(started, newBrowser(), { ...victim, sub: 'second' })), 'it was consumed')
      await t.rejects(app.postern.invite('nobody', { expiresIn: 60 }), { code: 'UNKNOWN_USER' })
      const nameless = await createUser(started, { email: null })
      await t.rejects(app.postern.invite(nameless.id, { expiresIn: 60 }), { code: 'NO_EMAIL' })
      await t.rejects(app.postern.invite(user.id, { expiresIn: -1 }), { name: 'TypeError' })
    }
  ],
  [
    'P1j',
    'many accounts redeem one invitation at the same moment',
    async (t) => {
      for (const adapter of [memoryAdapter(), withoutTransactions(memoryAdapter())]) {
        const started = await start(t, { adapter, demo: { verifiesEmail: true }, rateLimit: false })
        const user = await createUser(started)
        await started.app.postern.invite(user.id, { expiresIn: 60 })
        const subs = Array.from({ length: times(8, 20) }, (_, index) => `sub-${index}`)
        await Promise.all(subs.map((sub) => signInAtIssuer(started, started.newBrowser(), { ...victim, sub })))
        t.equal((await getAccounts(started, user.id)).length, 1)
      }
    }
  ]
]

const interruptions: readonly Replay[] = [
  [
    'P1k',
    'an interrupted first sign-in is continued by another account',
    async (t) => {
      for (const isVerified of [true, false]) {
        const person = { ...victim, email_verified: isVerified }
        const started = await start(t, { adapter: withoutTransactions(memoryAdapter()) })
        const { store, newBrowser, adapter } = started
        store.breakDown('linkAccount', 'deleteUser')
        await signInAtIssuer(started, newBrowser(), person)
        store.restore()
        const user = await adapter?.getUserByEmail?.(email)
        t.ok(isRefused(await signInAtIssuer(started, newBrowser(), { ...person, sub: 'another' })))
        t.same(await getAccounts(started, user?.id ?? ''), [])
        t.ok(isRefused(await signInAtIssuer(started, started.browser, person)), 'nor by its own, which proves no less')
        t.same(await getAccounts(started, user?.id ?? ''), [])
      }
    }
  ],
  [
    'P1l',
    'a first sign-in that was interrupted before its user was created joins a user of the application',
    async (t) => {
      const started = await start(t, { adapter: withoutTransactions(memoryAdapter()) })
      const { store, newBrowser } = started
      const person = { ...mallory, email, email_verified: false }
      store.breakDown('createUser')
      await signInAtIssuer(started, newBrowser(), person)
      store.restore()
      const user = await createUser(started)
      t.ok(isRefused(await signInAtIssuer(started, newBrowser(), person)))
      t.same(await getAccounts(started, user.id), [])
    }
  ],
  [
    'P1m',
    'an interrupted form sign-in is continued by another account',
    async (t) => {
      const adapter = withoutTransactions(memoryAdapter())
      const started = await start(t, { adapter, session: { strategy: 'database' } })
      const { store, newBrowser, browser } = started
      store.breakDown('linkAccount', 'deleteUser')
      await signInByForm(newBrowser(), 'ada')
      store.restore()
      t.ok(await adapter.getUserByEmail?.('ada@example.com'), 'the user was left behind')
      const other = { sub: 'ada', email: 'ada@example.com', email_verified: true }
      t.ok(isRefused(await signInAtIssuer(started, newBrowser(), other)))
      t.ok(isRefused(await signInByForm(browser, 'ada')), 'until the user is deleted')
    }
  ]
]

const removals: readonly Replay[] = [
  [
    'P6a',
    'a session that was created through an account outlives the account',
    async (t) => {
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy } })
        const { app, adapter, newBrowser, browser } = started
        const thief = newBrowser()
        await signInAtIssuer(started, thief, victim)
        await signInByMail(started, browser, email)
        const user = await adapter?.getUserByEmail?.(email)
        await app.postern.unlink(user?.id ?? '', key('vera'))
        t.same(await getSession(thief), {}, strategy)
        t.same(await getSession(browser), {}, 'and every other one')
      }
    }
  ],
  [
    'P6b',
    'a session that was left open gets an account of the attacker linked to it',
    async (t) => {
      for (const strategy of someStrategies()) {
        for (const [freshWithin, seconds, links] of [
          [undefined, 599, true],
          [undefined, 601, false],
          [60, 61, false],
          [false, 86_000, true]
        ] as const) {
          const started = await start(t, { session: { strategy }, linking: { freshWithin } })
          await signInByMail(started, started.browser, email)
          started.clock.advance(seconds)
          const response = await signInAtIssuer(started, started.browser, mallory)
          const user = await started.adapter?.getUserByEmail?.(email)
          t.same(await getAccounts(started, user?.id ?? ''), links ? ['mallory'] : [], `${strategy}, ${seconds} s`)
          t.equal(isRefused(response), !links)
          t.match(await getSession(started.browser), { user: { email } }, 'the session remains')
        }
      }
    }
  ],
  [
    'P7a',
    'deleteUser and unlink leave JWT sessions alive that nothing can revoke',
    async (t) => {
      const { revoke: _r, getRevocations: _g, listRevocations: _l, ...adapter } = memoryAdapter()
      const started = await start(t, { session: { strategy: 'jwt' }, adapter: adapter as Adapter })
      await signInAtIssuer(started, started.browser, victim)
      const user = await started.adapter?.getUserByAccount?.(key('vera'))
      const id = user?.id ?? ''
      const { postern } = started.app
      await t.rejects(postern.deleteUser(id), { code: 'ADAPTER_INCOMPLETE', message: /revoke/ })
      await t.rejects(postern.unlink(id, key('vera')), { code: 'ADAPTER_INCOMPLETE', message: /revoke/ })
      t.ok(await started.adapter?.getUser?.(id), 'nothing was deleted')
      t.ok(
        started.log.some((line) => line.includes("{ sessions: 'keep' }")),
        'the log said so at start'
      )
      await t.rejects(postern.deleteUser(id, { sessions: 'all' as 'keep' }), { name: 'TypeError' })
      await postern.deleteUser(id, { sessions: 'keep' })
      t.equal(await started.adapter?.getUser?.(id), null)
    }
  ]
]

export const takeovers: readonly Replay[] = [
  ...preparedUsers,
  ...trojans,
  ...invitations,
  ...interruptions,
  ...removals
]
