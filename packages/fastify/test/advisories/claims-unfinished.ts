import type { Adapter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { callNumbers, isLong } from '@postern/testkit/long'
import { fromAfar, getSession, mails, signInAtIssuer, signInByForm, signInByMail, start } from '../start.ts'
import { behind, withoutTransactions } from '../store-probe.ts'
import {
  addAccount,
  createUser,
  email,
  getAccounts,
  isVerified,
  key,
  someStores,
  someStrategies,
  stores,
  victim,
  walks
} from './linking-setup.ts'
import type { Replay } from './replay.ts'

/** An adapter whose database is unreachable from the call with this number on, until it is back. */
function withOutage(adapter: Adapter) {
  const outage = { from: Number.POSITIVE_INFINITY, calls: 0 }
  const gate = {
    beforeCall: (): void => {
      outage.calls += 1
      if (outage.calls >= outage.from) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    },
    afterCall: () => undefined
  }
  return { outage, adapter: behind(gate, adapter) }
}

/** The application's passwords, and a claimUser listener during which the attacker sets another one. */
function createListener() {
  const state = { password: 'planted', phases: [] as string[], failures: 1 }
  const form = (id: () => string) =>
    credentials({
      credentials: { name: { label: 'Name' } },
      authorize: () => (state.password === '' ? null : { id: id(), email })
    })
  const claimUser = ({ phase }: { readonly phase: string }): void => {
    state.phases.push(phase)
    if (phase === 'before') state.password = state.phases.length === 1 ? 'set again by the attacker' : ''
    else if (state.failures-- > 0) throw new Error('the listener failed')
    else state.password = ''
  }
  return { state, form, claimUser }
}

/** Claims that fail after they removed and wrote, and the next sign-in of the owner. */
export const claimsUnfinished: readonly Replay[] = [
  [
    'W01',
    'a claim by invitation fails at its end: the next sign-in at the provider verifies the address without a claim',
    async (t) => {
      for (const [name, open] of someStores()) {
        for (const strategy of someStrategies()) {
          const { state, claimUser } = createListener()
          const started = await start(t, {
            adapter: open(),
            session: { strategy },
            demo: { verifiesEmail: true },
            events: { claimUser },
            instances: 1
          })
          const { id } = await createUser(started)
          await started.app.postern.invite(id, { expiresIn: 60 })
          await signInAtIssuer(started, started.browser, victim)
          t.same(await getSession(started.browser), {}, `${strategy}, ${name}: the first sign-in fails`)
          await signInAtIssuer(started, started.browser, victim)
          t.match(await getSession(started.browser), { user: { email } }, `${strategy}, ${name}: the second does not`)
          t.same(state.phases, ['before', 'after', 'before', 'after'], 'the claim ran again')
          t.equal(state.password, '')
          t.ok(await isVerified(started, id))
          t.same(await getAccounts(started, id), ['vera'], 'the account of the owner remains')
        }
      }
    }
  ],
  [
    'W02',
    'a claim by email fails at its end: the next sign-in with a linked account leaves what the attacker added',
    async (t) => {
      for (const [name, open] of someStores()) {
        for (const strategy of someStrategies()) {
          const { state, form, claimUser } = createListener()
          let id = ''
          const provider = form(() => id)
          const adapter = open()
          const started = await start(t, { adapter, session: { strategy }, events: { claimUser }, instances: 1 })
          const passwords = await start(t, {
            adapter,
            session: { strategy },
            providers: [mails(), provider],
            instances: 1
          })
          id = (await createUser(started)).id
          await addAccount(started, id, 'vera')
          await signInByMail(started, started.browser, email)
          t.same(await getSession(started.browser), {}, `${strategy}, ${name}: the claim fails`)
          await addAccount(started, id, 'vera').catch(() => undefined)
          await addAccount(started, id, 'second')
          await signInAtIssuer(started, started.browser, victim)
          t.match(await getSession(started.browser), { user: { email } }, `${strategy}, ${name}: the owner signs in`)
          t.same(state.phases, ['before', 'after', 'before', 'after'], 'the claim ran again')
          t.same(await getAccounts(started, id), ['vera'], 'the account of the attacker is removed')
          const attacker = passwords.newBrowser()
          await signInByForm(attacker)
          t.same(await getSession(attacker), {}, 'and the password')
          t.ok(await isVerified(started, id))
        }
      }
    }
  ],
  [
    'W03',
    'an account cannot be linked once: the invitation no longer exists, and the address verified',
    async (t) => {
      for (const [name, open] of someStores()) {
        for (const strategy of someStrategies()) {
          const base = withoutTransactions(open())
          let failures = 1
          const linkAccount: Adapter['linkAccount'] = async (account) => {
            if (failures-- > 0) throw new Error('no connection')
            return base.linkAccount?.(account)
          }
          const adapter: Adapter = { ...base, linkAccount }
          const started = await start(t, {
            adapter,
            session: { strategy },
            demo: { verifiesEmail: true },
            instances: 1
          })
          const { id } = await createUser(started)
          await started.app.postern.invite(id, { expiresIn: 60 })
          await signInAtIssuer(started, started.browser, victim)
          t.same(await getSession(started.browser), {}, `${strategy}, ${name}: the first sign-in fails`)
          t.notOk(await isVerified(started, id), 'the address is not verified')
          await signInAtIssuer(started, started.browser, victim)
          t.match(await getSession(started.browser), { user: { email } }, `${strategy}, ${name}: the second does not`)
        }
      }
    }
  ],
  [
    'X01',
    'the database is unreachable from any point of a claim on: what the attacker added meanwhile ends with the next one',
    async (t) => {
      for (const {
        strategy,
        store: [name, open]
      } of walks(stores)) {
        let calls = Number.POSITIVE_INFINITY
        let committed = 0
        for (const at of callNumbers(10)) {
          const from = at + 1
          if (from > calls) break
          const real = open()
          const { outage, adapter } = withOutage(real)
          let id = ''
          let isFirst = true
          const claimUser = async (): Promise<void> => {
            if (isFirst) await real.linkAccount?.({ ...key('second'), type: 'oidc', userId: id })
            isFirst = false
          }
          const started = await start(t, {
            adapter,
            session: { strategy },
            events: { claimUser },
            instances: 1,
            rateLimit: false
          })
          const store = { ...started, adapter: real }
          id = (await createUser(store)).id
          await started.browser.submit('/api/auth/signin/email', { email })
          outage.calls = 0
          outage.from = from
          await started.browser.open(started.mailbox.last().url, { headers: fromAfar })
          if (from === 1) t.ok(outage.calls > 0, `${strategy}, ${name}: the database is unreachable`)
          const reached = outage.calls
          outage.from = Number.POSITIVE_INFINITY
          if (reached < from) calls = reached
          if (!isFirst) committed += 1
          const label = `${strategy}, ${name}, from call ${from}`
          const again = started.newBrowser()
          await signInByMail(started, again, email)
          t.match(await getSession(again), { user: { email } }, `${label}: the owner signs in`)
          t.ok(await isVerified(store, id), `${label}: the address is verified`)
          t.same(await getAccounts(store, id), [], `${label}: the account of the attacker is gone`)
        }
        t.ok(committed > (isLong ? 3 : 1), `${strategy}, ${name}: claims were interrupted after they began`)
      }
    }
  ]
]
