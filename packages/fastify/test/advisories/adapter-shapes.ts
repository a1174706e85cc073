import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, AdapterUser } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { cookieNames, getSession, mails, signInAtIssuer, signInByForm, signInByMail } from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import {
  addAccount,
  createPause,
  createUser,
  email,
  isRefused,
  key,
  mallory,
  pauseIn,
  plantTrojan,
  someStores,
  someStrategies,
  victim
} from './linking-setup.ts'
import { pauseAround, startInstance } from './pausing.ts'
import type { Replay } from './replay.ts'

const jwt = { strategy: 'jwt' } as const
const database = { strategy: 'database' } as const

export const adapterShapes: readonly Replay[] = [
  [
    'S11',
    'a reclaim overlaps the first use of a plain session: the session is stored again, hashed',
    async (t) => {
      for (const [name, openStore] of someStores()) {
        for (const how of ['reclaim', 'revokeAll', 'sign-out'] as const) {
          const store = openStore()
          const { adapter, pause } = pauseAround(store, store.transact ? 'transact' : 'createSession', 'before')
          const started = await startInstance(t, { adapter, session: { ...database, storage: 'both' } })
          const { id } = await createUser(started)
          const sessionToken = '4f1c0f3e-9a35-4a53-8a34-5a52b2a7f1d0'
          await adapter.createSession?.({ sessionToken, userId: id, expires: new Date(Date.now() + 1e8) })
          const [attacker, copy] = [started.newBrowser(), started.newBrowser()]
          for (const browser of [attacker, copy])
            browser.cookies.set(cookieNames.sessionToken, sessionToken, { secure: true })
          pause.during = async () => {
            if (how === 'reclaim') await signInByMail(started, started.browser, email)
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
    'S13',
    'an adapter whose updateAccount returns nothing and ignores `expected`: a removed account signs in',
    async (t) => {
      for (const how of ['reclaim', 'unlink'] as const) {
        for (const strategy of someStrategies()) {
          const base = withoutTransactions(memoryAdapter())
          const updateAccount: Adapter['updateAccount'] = async (account) => void (await base.updateAccount?.(account))
          const { pause, options } = pauseIn('remember', strategy)
          const started = await startInstance(t, { ...options, adapter: { ...base, updateAccount } })
          const { attacker, userId } = await plantTrojan(started)
          await addAccount(started, userId, 'other')
          pause.during = () =>
            how === 'reclaim'
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
    'S16',
    'a form that verifies the address itself: the sign-in is refused as if the user was reclaimed',
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
  ]
]
