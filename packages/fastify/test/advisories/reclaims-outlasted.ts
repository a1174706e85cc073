import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import azureAd from '@postern/core/providers/azure-ad'
import credentials from '@postern/core/providers/credentials'
import entraId from '@postern/core/providers/microsoft-entra-id'
import { createIssuer } from '@postern/testkit'
import { getSession, mails, signInAtIssuer, signInByForm, signInByMail, start } from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import { browserAt } from '../visitor.ts'
import {
  createPause,
  createUser,
  email,
  getAccounts,
  getUser,
  isVerified,
  mallory,
  someStores,
  someStrategies
} from './linking-setup.ts'
import type { Replay } from './replay.ts'

/** An adapter without the methods for tickets. */
function withoutTickets(adapter: Adapter): Adapter {
  const {
    createTicket: _,
    readTicket: _1,
    countTry: _2,
    consumeTicket: _3,
    deleteTickets: _4,
    ...others
  } = withoutTransactions(adapter)
  return others
}

/** Sign-in methods that stay after the owner of the address reclaimed the user, or after the user was deleted. */
export const claimsOutlasted: readonly Replay[] = [
  [
    'U01',
    'the stored ID Token says that the address is verified, but the profile function of its provider does not',
    async (t) => {
      for (const [name, open] of someStores()) {
        for (const strategy of someStrategies()) {
          const profile = ({ sub, email }: { sub?: string; email?: string }) => ({
            id: sub ?? '',
            email: email ?? null,
            emailVerified: false
          })
          const started = await start(t, { adapter: open(), session: { strategy }, demo: { profile }, instances: 1 })
          const attacker = started.newBrowser()
          await signInAtIssuer(started, attacker, { ...mallory, email })
          const { id = '' } = (await getUser(started)) ?? {}
          t.notOk(await isVerified(started, id), 'the sign-in verified nothing')
          await signInByMail(started, started.browser, email)
          t.same(await getAccounts(started, id), [], `${strategy}, ${name}: the account is removed`)
          await signInAtIssuer(started, attacker, { ...mallory, email })
          t.notMatch(await getSession(attacker), { user: { email } }, `${strategy}, ${name}: the attacker stays out`)
        }
      }
    }
  ],
  [
    'U02',
    'an account of a Microsoft directory without xms_edov outlives a reclaim',
    async (t) => {
      const tid = '9188040d-6c67-4c5b-b112-36a304b66dad'
      for (const provider of [entraId, azureAd]) {
        const issuer = createIssuer({ issuer: `https://login.microsoftonline.com/${tid}/v2.0` })
        const { clientId } = issuer
        const clientSecret = issuer.clientSecret ?? ''
        const demo = { ...provider({ clientId, clientSecret, issuer: issuer.issuer }), id: 'demo' }
        const options = { issuer: issuer.issuer }
        const started = await start(t, {
          issuerOptions: options,
          demo,
          session: { strategy: 'database' },
          instances: 1
        })
        const person = { ...mallory, email, oid: 'mallory', tid }
        await signInAtIssuer(started, started.newBrowser(), person)
        const { id = '' } = (await getUser(started)) ?? {}
        t.not(id, '')
        t.notOk(await isVerified(started, id))
        await signInByMail(started, started.browser, email)
        t.same(await getAccounts(started, id), [])
      }
    }
  ],
  [
    'U04',
    'an adapter without tickets: a form sign-in that is in progress outlasts a reclaim',
    async (t) => {
      for (const strategy of someStrategies()) {
        for (const [name, open] of [
          ['memory', () => memoryAdapter()],
          ['sqlite', () => sqliteAdapter({ file: ':memory:' })]
        ] as const) {
          const pause = createPause()
          let password = 'planted'
          const form = credentials({
            credentials: { name: { label: 'Name' } },
            authorize: async () => {
              const isRight = password === 'planted'
              await pause.run()
              return isRight ? { id, email } : null
            }
          })
          const started = await start(t, {
            adapter: withoutTickets(open()),
            session: { strategy },
            providers: [mails(), form],
            events: {
              reclaimUser: () => {
                password = 'removed'
              }
            },
            instances: 1
          })
          const { id } = await createUser(started)
          pause.during = () => signInByMail(started, started.browser, email)
          const attacker = started.newBrowser()
          await signInByForm(attacker)
          t.match(await getSession(started.browser), { user: { email } }, `${strategy}, ${name}: the owner`)
          t.same(await getSession(attacker), {}, `${strategy}, ${name}: the attacker`)
        }
      }
    }
  ],
  [
    'U06',
    'a load balancer writes ports into X-Forwarded-For: each try counts as another client',
    async (t) => {
      for (const address of [
        (port: number) => `9.9.9.9:${port}`,
        (port: number) => `[2001:db8::1]:${port}`,
        () => '[2001:db8::1]'
      ]) {
        const { app, clock } = await start(t, { session: { strategy: 'jwt' }, instances: 1 })
        const statuses: number[] = []
        for (let port = 1000; port < 1015; port++) {
          const fields = { username: 'ada', password: 'wrong' }
          const { status } = await browserAt(app, clock, address(port)).submit('/api/auth/callback/credentials', fields)
          statuses.push(status)
        }
        t.ok(statuses.includes(429), address(1))
      }
    }
  ]
]
