import { randomUUID } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import type { BrowserResponse } from '@postern/testkit'
import { callNumbers, inTurn } from '@postern/testkit/long'
import t from 'tap'
import { createPausing } from '../advisories/claim-races-setup.ts'
import { fewInTurn } from '../selections.ts'
import { getSession, type Started } from '../start.ts'
import { isSignedIn } from '../start-with-session-records.ts'
import { withoutTransactions } from '../store-probe.ts'
import { answer, beginKnown, type MethodName, methodNames, methods, startGated } from './pending-setup.ts'
import { strategies, vera } from './setup.ts'

type Change = (started: Started, userId: string) => Promise<unknown>

/** Changes that end every sign-in that waits, with the methods whose users they concern. */
const changes: Readonly<Record<string, { readonly run: Change; readonly methods: readonly MethodName[] }>> = {
  revokeAll: { run: ({ app }, userId) => app.postern.sessions.revokeAll(userId), methods: methodNames },
  suspension: { run: ({ app }, userId) => app.postern.users.suspend(userId), methods: methodNames },
  'suspension that ended': {
    run: async ({ app }, userId) => {
      await app.postern.users.suspend(userId)
      await app.postern.users.resume(userId)
    },
    methods: methodNames
  },
  'deletion of the user': { run: ({ app }, userId) => app.postern.deleteUser(userId), methods: methodNames },
  'removal of the account': {
    run: async ({ app, adapter }, userId) => {
      await adapter?.updateUser?.({ id: userId, emailVerified: new Date() })
      await app.postern.unlink(userId, { provider: 'demo', providerAccountId: 'vera' })
    },
    methods: ['provider']
  },
  'back-channel logout': { run: logOutAtProvider, methods: ['provider'] }
}

async function logOutAtProvider({ issuer, clock, newBrowser }: Started): Promise<BrowserResponse> {
  const now = Math.floor(clock.now() / 1000)
  const plain = { iss: issuer.issuer, aud: issuer.clientId, iat: now, exp: now + 120, jti: randomUUID() }
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const token = await issuer.sign({ ...plain, sub: vera.sub, events }, { typ: 'logout+jwt' })
  return newBrowser().post('/api/auth/backchannel-logout/demo', `${new URLSearchParams({ logout_token: token })}`)
}

const stores: Readonly<Record<string, () => Adapter>> = {
  memory: () => memoryAdapter(),
  'no transactions': () => withoutTransactions(memoryAdapter())
}

/** Each change with the next pair in `npm test`, and with every pair in the long run. */
const somePlaces = inTurn(
  strategies.flatMap((strategy) => Object.entries(stores).map(([store, open]) => ({ strategy, store, open })))
)

const fewMethods = fewInTurn(2)

for (const [what, { run, methods: concerned }] of Object.entries(changes))
  for (const { strategy, store, open } of somePlaces())
    t.test(`${strategy}, ${store}: ${what} at each call of the store while a sign-in waits or continues`, async (t) => {
      for (const method of fewMethods(concerned))
        for (const phase of ['it begins to wait', 'it continues'] as const) {
          let calls = 0
          for (const at of callNumbers()) {
            const pausing = createPausing(open())
            const started = await startGated(t, { session: { strategy }, adapter: pausing.adapter })
            const { clock, gate } = started
            const { pending: first, userId } = await beginKnown(t, started, method)
            const browser = phase === 'it continues' ? first : started.newBrowser()
            const outer = () => (phase === 'it continues' ? answer(browser) : methods[method].enter(started, browser))
            const change = async (): Promise<void> => {
              clock.advance(1)
              await run(started, userId)
              clock.advance(1)
            }
            const result = await pausing.runAt(at, outer, change)
            // The last round is not interrupted: its calls are all that there are.
            calls = result.calls
            if (!result.isDone) break
            const label = `${method}, ${phase}: before call ${at}, ${result.method}`
            if (phase === 'it begins to wait' && method === 'provider') gate.isDue = true
            t.notOk(await isSignedIn(browser), label)
            if (phase === 'it continues' || what !== 'revokeAll') continue
            t.same(await getSession(browser), {}, label)
          }
          // With JWT sessions, a form reads whether the user is suspended, stores the pending sign-in, and reads it again.
          const isShort = strategy === 'jwt' && method === 'form' && phase === 'it begins to wait'
          if (isShort) t.equal(calls, 3, `${method}, ${phase}`)
          else t.ok(calls > 3, `${method}, ${phase}: ${calls} calls`)
        }
    })
