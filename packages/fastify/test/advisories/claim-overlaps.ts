import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, AdapterUser, Token } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { times } from '@postern/testkit/long'
import { memoryRevocations } from '../session-records.ts'
import { cookieNames, getSession, mails, signInAtIssuer, signInByForm, signInByMail, start } from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import { person, sharedStores, startPair } from './claim-races.ts'
import {
  createMoment,
  pauseAround,
  prepareAtIssuer,
  prepareByMail,
  startInstance,
  takeTo
} from './claim-races-setup.ts'
import {
  addAccount,
  createPause,
  createUser,
  email,
  fourteenMethods,
  getAccounts,
  getUser,
  isRefused,
  key,
  mallory,
  pauseIn,
  plantTrojan,
  someStores,
  someStrategies,
  victim
} from './linking-setup.ts'
import type { Replay } from './replay.ts'

const routes = new URL('../session-manager-routes.js', import.meta.url).href
const jwt = { strategy: 'jwt' } as const
const database = { strategy: 'database' } as const

export const claimOverlaps: readonly Replay[] = [
  [
    'S1',
    'a JWT session that was revoked in another process links an account, and the account remains',
    async (t) => {
      for (const how of ['claim', 'revokeAll', 'unlink'] as const) {
        const adapter = memoryAdapter()
        const a = await startInstance(t, { adapter, session: jwt })
        const b = await startInstance(t, { adapter, session: jwt })
        const { id } = await createUser(a, how === 'claim' ? {} : { emailVerified: new Date() })
        await addAccount(a, id, 'mallory')
        const attacker = a.newBrowser()
        await signInAtIssuer(a, attacker, mallory)
        const link = await prepareAtIssuer(a, attacker, { ...mallory, sub: 'second' })
        t.match(await getSession(attacker), { user: { email } }, 'the attacker is signed in')
        if (how === 'claim') await signInByMail(b, b.browser, email)
        if (how === 'revokeAll') await b.app.postern.sessions.revokeAll(id)
        if (how === 'unlink') await b.app.postern.unlink(id, key('mallory'))
        t.same(await getSession(takeTo(b, attacker)), {}, 'the session was revoked')
        await link()
        t.notOk((await getAccounts(a, id)).includes('second'), how)
        const third = await startInstance(t, { adapter, session: jwt })
        t.same(await getSession(takeTo(third, attacker)), {}, `${how}: the attacker is signed in again`)
      }
    }
  ],
  [
    'S2',
    'a JWT session that was revoked in another process calls revokeOthers, counts again, and ends the sessions of the owner',
    async (t) => {
      for (const how of ['claim', 'revokeAll'] as const) {
        const adapter = memoryAdapter()
        const a = await startInstance(t, { adapter, session: jwt, routes })
        const b = await startInstance(t, { adapter, session: jwt, routes })
        const { id } = await createUser(a)
        await addAccount(a, id, 'mallory')
        const attacker = a.newBrowser()
        await signInAtIssuer(a, attacker, mallory)
        t.match(await getSession(attacker), { user: { email } })
        if (how === 'revokeAll') await b.app.postern.sessions.revokeAll(id)
        await signInByMail(b, b.browser, email)
        await attacker.open('/others')
        const third = await startInstance(t, { adapter, session: jwt })
        t.same(await getSession(takeTo(third, attacker)), {}, `${how}: the attacker`)
        t.match(await getSession(takeTo(third, b.browser)), { user: { email } }, `${how}: the owner`)
      }
    }
  ],
  [
    'S3',
    'revokeOthers overlaps a claim in the same process, and the JWT session of the attacker gets the newest version',
    async (t) => {
      const { adapter, pause } = pauseAround(memoryAdapter(), 'revoke', 'before')
      const started = await startInstance(t, { adapter, session: jwt, routes })
      const { attacker } = await plantTrojan(started)
      pause.during = () => signInByMail(started, started.browser, email)
      await attacker.open('/others')
      t.ok(pause.ran)
      t.same(await getSession(attacker), {}, 'the attacker')
    }
  ],
  [
    'S4',
    'an account that is linked between the removal and the sweep of a claim leaves a JWT session behind',
    async (t) => {
      for (const [name, openStore] of someStores()) {
        for (const strategy of someStrategies()) {
          const [inAttack, resumeAttack, attackDone] = [createMoment(), createMoment(), createMoment()]
          const state = { isRunning: false }
          const remember = async ({ account }: { account: { providerAccountId: string } }): Promise<boolean> => {
            if (!state.isRunning) return true
            if (account.providerAccountId === 'second') {
              inAttack.reach()
              await resumeAttack.reached
            } else {
              resumeAttack.reach()
              await attackDone.reached
            }
            return true
          }
          const events = {
            claimUser: async ({ phase }: { phase: string }) => {
              if (phase !== 'before') return
              void link().finally(attackDone.reach)
              await inAttack.reached
            }
          }
          const session = { strategy, remember }
          const started = await startInstance(t, { adapter: openStore(), session, events })
          const { attacker, userId } = await plantTrojan(started)
          const link = await prepareAtIssuer(started, attacker, { ...mallory, sub: 'second' })
          state.isRunning = true
          await signInByMail(started, started.browser, email)
          t.match(await getSession(started.browser), { user: { email } }, 'the owner is signed in')
          t.same(await getAccounts(started, userId), [], `${strategy}, ${name}: accounts`)
          t.not((await getSession(attacker)).user?.email, email, `${strategy}, ${name}: the attacker`)
        }
      }
    }
  ],
  [
    'S5',
    'two first sign-ins of one account at the same moment: the first removes the account of the second, permanently',
    async (t) => {
      const adapters = { without: () => withoutTransactions(memoryAdapter()), fourteen: fourteenMethods }
      for (const [name, openStore] of Object.entries(adapters)) {
        for (const strategy of someStrategies()) {
          const { adapter, pause } = pauseAround(openStore(), 'linkAccount', 'after')
          const started = await startInstance(t, { adapter, session: { strategy } })
          const second = started.newBrowser()
          pause.during = () => signInAtIssuer(started, second, victim)
          await signInAtIssuer(started, started.browser, victim)
          t.ok(pause.ran)
          const third = started.newBrowser()
          t.notOk(isRefused(await signInAtIssuer(started, third, victim)), `${strategy}, ${name}: refused`)
          t.match(await getSession(third), { user: { email } }, `${strategy}, ${name}`)
        }
      }
    }
  ],
  [
    'S6',
    'a first sign-in that is continued by a second one at the same moment loses its account, permanently',
    async (t) => {
      for (const strategy of someStrategies()) {
        const base = withoutTransactions(memoryAdapter())
        const [secondPresent, firstLinked, secondDone] = [createMoment(), createMoment(), createMoment()]
        let count = 0
        const linkAccount: Adapter['linkAccount'] = async (account) => {
          count += 1
          if (count === 1) {
            void signInAtIssuer(started, second, person).finally(secondDone.reach)
            await secondPresent.reached
            const result = await base.linkAccount?.(account)
            firstLinked.reach()
            await secondDone.reached
            return result
          }
          secondPresent.reach()
          await firstLinked.reached
          return base.linkAccount?.(account)
        }
        const started = await startInstance(t, { adapter: { ...base, linkAccount }, session: { strategy } })
        const second = started.newBrowser()
        const person = { ...victim, email_verified: false }
        await signInAtIssuer(started, started.browser, person)
        t.equal(count, 2)
        const third = started.newBrowser()
        t.notOk(isRefused(await signInAtIssuer(started, third, person)), `${strategy}: refused`)
        t.match(await getSession(third), { user: { email } }, strategy)
      }
    }
  ],
  [
    'S7',
    'a link to the old address is opened while the user changes the address: the change is undone',
    async (t) => {
      for (const [name, openStore] of someStores()) {
        for (const strategy of someStrategies()) {
          const { pause, options } = pauseIn('signIn', strategy)
          const started = await startInstance(t, { ...options, adapter: openStore() })
          const { id } = await createUser(started, { emailVerified: new Date() })
          const thief = started.newBrowser()
          const openLink = await prepareByMail(started, thief, email)
          const emailVerified = new Date()
          pause.during = async () => started.adapter?.updateUser?.({ id, email: 'new@example.com', emailVerified })
          await openLink()
          t.ok(pause.ran)
          t.equal((await started.adapter?.getUser?.(id))?.email, 'new@example.com', `${strategy}, ${name}`)
          t.same(await getSession(thief), {}, `${strategy}, ${name}: the holder of the old mailbox`)
        }
      }
    }
  ],
  [
    'S8',
    'a claim that fails after its commit is never finished: what was linked meanwhile stays',
    async (t) => {
      const cases = [
        ['jwt', 'jwt'],
        ['remember', 'jwt'],
        ['remember', 'database']
      ] as const
      for (const [point, strategy] of cases) {
        for (const [name, openStore] of someStores()) {
          const state = { fails: false }
          const fail = (provider: string): void => {
            if (!state.fails || provider !== 'email') return
            state.fails = false
            throw new Error('the service of the application does not respond')
          }
          const callbacks = {
            jwt: ({ token, account }: { token: Token; account?: { provider: string } | null }) => {
              if (point === 'jwt' && account) fail(account.provider)
              return token
            }
          }
          const remember = ({ account }: { account: { provider: string } }) => {
            if (point === 'remember') fail(account.provider)
            return true
          }
          const pause = createPause()
          const started = await startInstance(t, {
            adapter: openStore(),
            session: { strategy, remember },
            callbacks,
            events: { claimUser: pause.run }
          })
          const { attacker, userId } = await plantTrojan(started)
          pause.during = () => signInAtIssuer(started, attacker, { ...mallory, sub: 'second' })
          state.fails = true
          await signInByMail(started, started.browser, email)
          t.ok(pause.ran)
          await signInByMail(started, started.browser, email)
          t.match(await getSession(started.browser), { user: { email } }, 'the owner is signed in at the second try')
          t.same(await getAccounts(started, userId), [], `${point}, ${strategy}, ${name}`)
        }
      }
    }
  ],
  [
    'S9',
    'the listener claimUser fails after the removal and is not called again: a password that was set meanwhile stays',
    async (t) => {
      for (const strategy of someStrategies()) {
        const passwords = new Set<string>()
        const pause = createPause()
        const state = { fails: true }
        const events = {
          claimUser: async ({ user, phase }: { user: { id: string }; phase: string }) => {
            if (phase === 'after' && state.fails) {
              state.fails = false
              throw new Error('the service of the application does not respond')
            }
            passwords.delete(user.id)
            await pause.run()
          }
        }
        const started = await startInstance(t, { events, session: { strategy } })
        const { attacker, userId } = await plantTrojan(started)
        pause.during = async () => {
          if ((await getSession(attacker)).user) passwords.add(userId)
        }
        await signInByMail(started, started.browser, email)
        await signInByMail(started, started.browser, email)
        t.match(await getSession(started.browser), { user: { email } }, 'the owner is signed in at the second try')
        t.equal(passwords.size, 0, strategy)
      }
    }
  ],
  [
    'S10',
    'a password that is set and used between the date of a claim and its commit opens a session',
    async (t) => {
      for (const [name, openStore] of someStores()) {
        const passwords = new Set<string>()
        const [compared, claimed] = [createMoment(), createMoment()]
        const state = { isRunning: false, form: Promise.resolve<unknown>(null) }
        const form = credentials({
          credentials: { username: { label: 'Name' } },
          authorize: () => (passwords.has(userId) ? { id: userId, email } : null)
        })
        const remember = async ({ account }: { account: { provider: string } }): Promise<boolean> => {
          if (!state.isRunning || account.provider !== 'email') return true
          started.clock.advance(1)
          if ((await getSession(attacker)).user) passwords.add(userId)
          state.form = signInByForm(thief, 'mallory')
          await Promise.race([compared.reached, state.form])
          return true
        }
        const signIn = async ({ account }: { account: { provider: string } }): Promise<boolean> => {
          if (account.provider === 'credentials') {
            compared.reach()
            await claimed.reached
          }
          return true
        }
        const started = await start(t, {
          adapter: openStore(),
          session: { ...database, remember },
          callbacks: { signIn },
          events: { claimUser: () => passwords.clear() },
          providers: [mails(), form],
          rateLimit: false,
          instances: 1
        })
        const { id: userId } = await createUser(started)
        passwords.add(userId)
        const [attacker, thief] = [started.newBrowser(), started.newBrowser()]
        claimed.reach()
        await signInByForm(attacker, 'mallory')
        t.match(await getSession(attacker), { user: { email } })
        const again = createMoment()
        Object.assign(claimed, again)
        Object.assign(compared, createMoment())
        state.isRunning = true
        await signInByMail(started, started.browser, email)
        claimed.reach()
        await state.form
        t.match(await getSession(started.browser), { user: { email } })
        t.same(await getSession(thief), {}, name)
      }
    }
  ],
  [
    'S11',
    'a claim overlaps the first use of a plain session: the session is stored again, hashed',
    async (t) => {
      for (const [name, openStore] of someStores()) {
        for (const how of ['claim', 'revokeAll', 'sign-out'] as const) {
          const { adapter, pause } = pauseAround(openStore(), 'createSession', 'before')
          const started = await startInstance(t, { adapter, session: { ...database, storage: 'both' } })
          const { id } = await createUser(started)
          const sessionToken = '4f1c0f3e-9a35-4a53-8a34-5a52b2a7f1d0'
          await adapter.createSession?.({ sessionToken, userId: id, expires: new Date(Date.now() + 1e8) })
          const [attacker, copy] = [started.newBrowser(), started.newBrowser()]
          for (const browser of [attacker, copy])
            browser.cookies.set(cookieNames.sessionToken, sessionToken, { secure: true })
          pause.during = async () => {
            if (how === 'claim') await signInByMail(started, started.browser, email)
            else if (how === 'revokeAll') await started.app.postern.sessions.revokeAll(id)
            else await adapter.deleteSession?.(sessionToken)
          }
          await getSession(attacker)
          t.ok(pause.ran)
          t.same(await getSession(attacker), {}, `${name}, ${how}`)
        }
      }
    }
  ],
  [
    'S12',
    'a sign-in by email that overlaps deleteUser keeps a session of the deleted user',
    async (t) => {
      for (const [name, openStore] of someStores()) {
        for (const strategy of someStrategies()) {
          const { pause, options } = pauseIn('remember', strategy)
          const started = await startInstance(t, { ...options, adapter: openStore() })
          const { id } = await createUser(started, { emailVerified: new Date() })
          const openLink = await prepareByMail(started, started.browser, email)
          pause.during = () => started.app.postern.deleteUser(id)
          await openLink()
          t.ok(pause.ran)
          t.equal(await getUser(started), null)
          t.same(await getSession(started.browser), {}, `${strategy}, ${name}`)
        }
      }
    }
  ],
  [
    'S13',
    'an adapter whose updateAccount returns nothing and ignores `expected`: a removed account signs in',
    async (t) => {
      for (const how of ['claim', 'unlink'] as const) {
        for (const strategy of someStrategies()) {
          const base = withoutTransactions(memoryAdapter())
          const updateAccount: Adapter['updateAccount'] = async (account) => void (await base.updateAccount?.(account))
          const { pause, options } = pauseIn('remember', strategy)
          const started = await startInstance(t, { ...options, adapter: { ...base, updateAccount } })
          const { attacker, userId } = await plantTrojan(started)
          await addAccount(started, userId, 'other')
          pause.during = () =>
            how === 'claim'
              ? signInByMail(started, started.browser, email)
              : started.app.postern.unlink(userId, key('mallory'))
          await signInAtIssuer(started, attacker, mallory)
          t.ok(pause.ran)
          t.same(await getSession(attacker), {}, `${strategy}, ${how}`)
        }
      }
    }
  ],
  [
    'S14',
    'an adapter that counts its users and compares ids strictly: known accounts are refused',
    async (t) => {
      const base = memoryAdapter()
      let last = 0
      const out = <U extends { id: string } | null | undefined>(user: U): U =>
        (user ? { ...user, id: Number(user.id) } : user) as U
      const adapter: Adapter = {
        createUser: async (user) => out(await base.createUser({ ...user, id: String(++last) })),
        getUser: async (id) => out(await base.getUser(String(id))),
        getUserByEmail: async (address) => out(await base.getUserByEmail(address)),
        getUserByAccount: async (account) => out(await base.getUserByAccount(account)),
        updateUser: async (user) => out(await base.updateUser({ ...user, id: String(user.id) })),
        linkAccount: (account) => base.linkAccount({ ...account, userId: String(account.userId) }),
        unlinkAccount: base.unlinkAccount,
        createSession: (session) => base.createSession({ ...session, userId: String(session.userId) }),
        getSessionAndUser: base.getSessionAndUser,
        updateSession: base.updateSession,
        deleteSession: base.deleteSession,
        createVerificationToken: base.createVerificationToken,
        useVerificationToken: base.useVerificationToken,
        updateAccount: async (account, expected) => {
          const owner = out(await base.getUserByAccount(account))
          if (expected?.userId !== undefined && owner?.id !== expected.userId) return false
          return base.updateAccount(account)
        }
      }
      const started = await startInstance(t, { adapter, session: database })
      await signInAtIssuer(started, started.newBrowser(), victim)
      t.notOk(isRefused(await signInAtIssuer(started, started.browser, victim)))
      t.match(await getSession(started.browser), { user: { email } })
    }
  ],
  [
    'S16',
    'a form that verifies the address itself: the sign-in is refused as if the user was claimed',
    async (t) => {
      for (const strategy of someStrategies()) {
        const form = credentials({
          credentials: { code: { label: 'Code' } },
          authorize: async () => {
            await started.adapter?.updateUser?.({ id, emailVerified: new Date() })
            return { id, email }
          }
        })
        const started = await startInstance(t, { session: { strategy }, form })
        const { id } = await createUser(started)
        t.notOk(isRefused(await signInByForm(started.browser)), strategy)
        t.match(await getSession(started.browser), { user: { email } }, strategy)
      }
    }
  ],
  [
    'S17',
    'a store that keeps emailVerified as text, number or boolean: form sign-ins fail',
    async (t) => {
      for (const emailVerified of ['2020-01-01T00:00:00.000Z', 1_577_836_800_000, true] as const) {
        for (const strategy of someStrategies()) {
          const base = memoryAdapter()
          const getUser: Adapter['getUser'] = async (id) => {
            const user = await base.getUser(id)
            return user && ({ ...user, emailVerified } as unknown as AdapterUser)
          }
          const started = await startInstance(t, {
            adapter: { ...withoutTransactions(base), getUser },
            session: { strategy },
            providers: [
              mails(),
              credentials({ credentials: { name: { label: 'Name' } }, authorize: () => ({ id, email }) })
            ]
          })
          const { id } = await createUser(started)
          await signInByForm(started.browser)
          t.match(await getSession(started.browser), { user: { email } }, `${strategy}, ${emailVerified}`)
        }
      }
    }
  ],
  [
    'S18',
    'a store that refuses to look up what is not a UUID: form sign-ins of users that it does not have fail (JWT)',
    async (t) => {
      const base = memoryAdapter()
      const getUser: Adapter['getUser'] = async (id) => {
        if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`invalid input syntax for type uuid: "${id}"`)
        return base.getUser(id)
      }
      const started = await startInstance(t, { adapter: { ...base, getUser }, session: jwt })
      await signInByForm(started.browser)
      t.match(await getSession(started.browser), { user: { email: 'grace@example.com' } })
    }
  ],
  [
    'S19',
    'a store that marks new users as verified: every first sign-in is refused and loses its account',
    async (t) => {
      const base = withoutTransactions(memoryAdapter())
      const createUserVerified: Adapter['createUser'] = async (user) => {
        const created = await base.createUser?.({ ...user, emailVerified: new Date() })
        if (!created) throw new Error('expected a user')
        return created
      }
      const started = await startInstance(t, { adapter: { ...base, createUser: createUserVerified } })
      t.notOk(isRefused(await signInAtIssuer(started, started.browser, victim)))
      t.match(await getSession(started.browser), { user: { email } })
    }
  ],
  [
    'S20',
    'a verified user signs in by email and by form at the same time: the form is refused',
    async (t) => {
      for (const strategy of someStrategies()) {
        const pause = createPause()
        const form = credentials({
          credentials: { name: { label: 'Name' } },
          authorize: async () => {
            await pause.run()
            return { id, email }
          }
        })
        const started = await startInstance(t, { session: { strategy }, providers: [mails(), form] })
        const { id } = await createUser(started, { emailVerified: new Date(0) })
        const other = started.newBrowser()
        pause.during = () => signInByMail(started, other, email)
        t.notOk(isRefused(await signInByForm(started.browser)), strategy)
        t.match(await getSession(started.browser), { user: { email } }, strategy)
      }
    }
  ],
  [
    'S21',
    'the clocks of two processes differ: a form sign-in survives a claim',
    async (t) => {
      for (const ahead of [-3000, 3000]) {
        for (const strategy of someStrategies()) {
          const adapter = memoryAdapter()
          const passwords = new Set<string>()
          const pause = createPause()
          const form = credentials({
            credentials: { name: { label: 'Name' } },
            authorize: async () => {
              const isRight = passwords.has(id)
              await pause.run()
              return isRight ? { id, email } : null
            }
          })
          const options = {
            adapter,
            session: { strategy },
            providers: [mails(), form],
            events: { claimUser: () => passwords.clear() }
          }
          const a = await startInstance(t, options)
          const b = await startInstance(t, { ...options, ahead })
          const { id } = await createUser(a)
          passwords.add(id)
          const attacker = a.newBrowser()
          pause.during = () => signInByMail(b, b.browser, email)
          await signInByForm(attacker)
          t.same(await getSession(attacker), {}, `${strategy}, ${ahead}: the attacker`)
        }
      }
    }
  ],
  [
    'S22',
    'a store that keeps whole seconds: a form sign-in survives a claim in the same second',
    async (t) => {
      for (const strategy of someStrategies()) {
        const base = withoutTransactions(memoryAdapter())
        const updateUser: Adapter['updateUser'] = async (user) => {
          const { emailVerified } = user
          const date = emailVerified && new Date(Math.floor(emailVerified.getTime() / 1000) * 1000)
          const updated = await base.updateUser?.(emailVerified ? { ...user, emailVerified: date ?? null } : user)
          if (!updated) throw new Error('expected a user')
          return updated
        }
        const pause = createPause()
        const form = credentials({
          credentials: { name: { label: 'Name' } },
          authorize: async () => {
            await pause.run()
            return { id, email }
          }
        })
        const started = await start(t, {
          adapter: { ...base, updateUser },
          session: { strategy },
          providers: [mails(), form],
          instances: 1
        })
        const { id } = await createUser(started)
        started.clock.advance(0.5)
        const attacker = started.newBrowser()
        pause.during = () => signInByMail(started, started.browser, email)
        await signInByForm(attacker)
        t.same(await getSession(attacker), {}, strategy)
      }
    }
  ],
  [
    'S23',
    'an invitation that replaced another one is used by the recipient of the first one',
    async (t) => {
      for (const [name, openStore] of someStores()) {
        for (const strategy of someStrategies()) {
          const isTransaction = name !== 'without transactions'
          const method = isTransaction ? 'transact' : 'consumeTicket'
          const { adapter, pause } = pauseAround(openStore(), method, 'before')
          const started = await startInstance(t, { adapter, session: { strategy }, demo: { verifiesEmail: true } })
          const { id } = await createUser(started, { email: 'mallory@example.com', emailVerified: new Date() })
          await started.app.postern.invite(id, { expiresIn: 60 })
          const attack = await prepareAtIssuer(started, started.newBrowser(), mallory)
          pause.during = async () => {
            await started.adapter?.updateUser?.({ id, email, emailVerified: null })
            await started.app.postern.invite(id, { expiresIn: 60 })
          }
          await attack()
          t.ok(pause.ran)
          t.same(await getAccounts(started, id), [], `${strategy}, ${name}`)
          t.equal((await started.adapter?.getUser?.(id))?.email, email, `${strategy}, ${name}: the address`)
        }
      }
    }
  ],
  [
    'S25',
    'a provider verifies the address while the user changes it: the change is undone',
    async (t) => {
      for (const strategy of someStrategies()) {
        const { pause, options } = pauseIn('signIn', strategy)
        const started = await startInstance(t, options)
        const { id } = await createUser(started)
        await addAccount(started, id, 'vera')
        const signIn = await prepareAtIssuer(started, started.browser, victim)
        pause.during = async () => started.adapter?.updateUser?.({ id, email: 'new@example.com', emailVerified: null })
        await signIn()
        t.ok(pause.ran)
        t.equal((await started.adapter?.getUser?.(id))?.email, 'new@example.com', strategy)
      }
    }
  ],
  [
    'S26',
    'first sign-ins of one person at the same moment, on real connections without transactions: refused, and locked out',
    async (t) => {
      for (const store of await sharedStores()) {
        if (!store.name.endsWith('without transactions') || store.name.startsWith('memory')) continue
        for (const strategy of someStrategies()) {
          const pair = await startPair(t, store, strategy)
          for (let count = 0; count < times(1, 5); count += 1) {
            const sub = `${strategy}-${count}`
            const runs = await Promise.all(
              [pair.attacked, pair.claiming].map((started) =>
                prepareAtIssuer(started, started.newBrowser(), person(sub))
              )
            )
            const responses = await Promise.all(runs.map((run) => run()))
            for (const response of responses) t.notOk(isRefused(response), `${pair.name}: refused`)
            const browser = pair.attacked.newBrowser()
            await signInAtIssuer(pair.attacked, browser, person(sub))
            t.match(await getSession(browser), { user: {} }, `${pair.name}: locked out`)
          }
        }
      }
    }
  ],
  [
    'S27',
    'a user links an account in two tabs at the same moment: the second request removes what the first one linked',
    async (t) => {
      for (const strategy of someStrategies()) {
        const { adapter, pause } = pauseAround(withoutTransactions(memoryAdapter()), 'linkAccount', 'before')
        const started = await startInstance(t, { adapter, session: { strategy } })
        await signInByMail(started, started.browser, email)
        const runs = [
          await prepareAtIssuer(started, started.browser, victim),
          await prepareAtIssuer(started, started.browser, victim)
        ] as const
        // The second one is refused while the first one is in progress.
        pause.during = () => runs[1]()
        t.notOk(isRefused(await runs[0]()), strategy)
        t.ok(pause.ran)
        t.match(await getSession(started.browser), { user: { email } }, strategy)
        t.same(await getAccounts(started, (await getUser(started))?.id ?? ''), ['vera'], strategy)
      }
    }
  ],
  [
    'S28',
    'the listener claimUser fails once for a person with an invitation, who is locked out from then on',
    async (t) => {
      for (const strategy of someStrategies()) {
        const state = { fails: true }
        const events = {
          claimUser: () => {
            if (!state.fails) return
            state.fails = false
            throw new Error('the service of the application does not respond')
          }
        }
        const adapter = withoutTransactions(memoryAdapter())
        const started = await startInstance(t, {
          adapter,
          events,
          session: { strategy },
          demo: { verifiesEmail: true }
        })
        const { id } = await createUser(started)
        await started.app.postern.invite(id, { expiresIn: 60 })
        await signInAtIssuer(started, started.browser, victim)
        t.notOk(isRefused(await signInAtIssuer(started, started.browser, victim)), strategy)
        t.match(await getSession(started.browser), { user: { email } }, strategy)
      }
    }
  ],
  [
    'S29',
    'a process does not reach the store of revocations for a minute: a revoked JWT session links an account',
    async (t) => {
      const adapter = memoryAdapter()
      const shared = memoryRevocations(Date.now)
      const state = { isBroken: false, ahead: 0 }
      const reach = async (): Promise<void> => {
        if (state.isBroken) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      }
      const revocations: typeof shared = {
        revoke: async (...args) => reach().then(() => shared.revoke(...args)),
        getRevocations: async (...args) => reach().then(() => shared.getRevocations(...args)),
        listRevocations: async (...args) => reach().then(() => shared.listRevocations(...args))
      }
      const runtime = { now: () => Date.now() + state.ahead }
      const here = await startInstance(t, { adapter, session: { ...jwt, revocations }, runtime })
      const there = await startInstance(t, { adapter, session: { ...jwt, revocations: shared } })
      const { attacker, userId } = await plantTrojan(here)
      const link = await prepareAtIssuer(here, attacker, { ...mallory, sub: 'second' })
      state.isBroken = true
      await signInByMail(there, there.browser, email)
      t.match(await getSession(there.browser), { user: { email } })
      state.ahead = 30_000
      await link()
      t.same(await getAccounts(here, userId), [])
    }
  ]
]
