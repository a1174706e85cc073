import credentials from '@postern/core/providers/credentials'
import { getSession, origin, signInAtIssuer, signInByForm, signInByMail } from '../start.ts'
import { createPause, createUser, email, isRefused, mallory, someStores, strategies } from './linking-setup.ts'
import { startInstance, takeTo } from './pausing.ts'
import type { Replay } from './replay.ts'

/** Registrations that share a store and a secret, one with JWT sessions and one with database sessions. */
export const twoStrategies: readonly Replay[] = [
  [
    'T04',
    'a form of a registration that proves no address: a password outlives a claim at another registration',
    async (t) => {
      for (const strategy of strategies) {
        for (const reclaiming of strategies) {
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
            const events = { reclaimUser: () => passwords.clear() }
            const admin = await startInstance(t, { adapter, session: { strategy: reclaiming }, events })
            pause.during = () => signInByMail(admin, admin.browser, email)
            await signInByForm(shop.browser)
            t.ok(pause.ran)
            t.same(await getSession(shop.browser), {}, `${strategy}, claimed with ${reclaiming}, ${name}`)
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
