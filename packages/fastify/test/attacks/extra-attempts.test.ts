import { memoryAdapter } from '@postern/adapters/memory'
import credentials from '@postern/core/providers/credentials'
import t, { type Test } from 'tap'
import { createTestGate } from '../interruption-feature.ts'
import { fromAfar, mails } from '../start.ts'
import { settings, toName } from './link-faults.ts'
import { answer } from './pending-setup.ts'
import { choose, overlapEverywhere, startOverlap } from './session-setup.ts'
import { address, idIn, withId } from './setup.ts'

// The last attempt at an interruption is right and continues, as the codes of a forced enrollment do, so there is another one.

for (const setting of settings) {
  t.test(`${toName(setting)}: the owner claims the user while a stranger gets another attempt`, async (t: Test) => {
    for (const seconds of [5, 31, 300]) {
      const { problems } = await overlapEverywhere(async (adapter) => {
        const user = { id: '', password: 'planted' }
        const form = credentials({
          credentials: { name: { label: 'Name' } },
          authorize: () => (user.password === '' ? null : { id: user.id, email: address })
        })
        const started = await startOverlap(t, choose(adapter, setting.hasTransactions), {
          session: { strategy: setting.strategy },
          providers: [mails(), form],
          features: [createTestGate(true).feature],
          callbacks: withId,
          rateLimit: false,
          events: {
            claimUser: () => {
              user.password = ''
            }
          }
        })
        const { clock, mailbox } = started
        user.id = (await adapter.createUser?.({ name: null, email: address, emailVerified: null }))?.id ?? ''
        const stranger = started.newBrowser()
        await stranger.submit('/api/auth/callback/credentials', { name: 'x' })
        for (let tries = 0; tries < 4; tries++) t.equal((await answer(stranger, 'no')).status, 403)
        const owner = started.newBrowser()
        let isClaimed = false
        const inner = async (): Promise<void> => {
          clock.advance(1)
          await owner.submit('/api/auth/signin/email', { email: address })
          await owner.open(mailbox.last().url, { headers: fromAfar })
          await answer(owner)
          isClaimed = (await idIn(owner)) === user.id
          clock.advance(1)
        }
        const check = async (): Promise<string | null> => {
          if (!isClaimed || user.password !== '') return 'the owner has not claimed the user'
          clock.advance(seconds)
          await answer(stranger)
          return (await idIn(stranger)) === user.id ? 'the stranger is signed in' : null
        }
        return { started, outer: () => answer(stranger, 'more'), inner, check }
      }, 2)
      t.strictSame(problems, [], `used ${seconds} s later`)
    }
  })

  t.test(`${toName(setting)}: there is one more attempt, and the sign-in completes with it`, async (t: Test) => {
    for (const last of ['yes', 'no'] as const) {
      const form = credentials({
        credentials: { name: { label: 'Name' } },
        authorize: () => ({ id: 'vera', email: address })
      })
      const started = await startOverlap(t, choose(memoryAdapter(), setting.hasTransactions), {
        session: { strategy: setting.strategy },
        providers: [form],
        features: [createTestGate(true).feature],
        callbacks: withId
      })
      const browser = started.newBrowser()
      await browser.submit('/api/auth/callback/credentials', { name: 'x' })
      for (let tries = 0; tries < 4; tries++) t.equal((await answer(browser, 'no')).status, 403)
      for (let more = 0; more < 3; more++) t.equal((await answer(browser, 'more')).status, 200, 'it asks again')
      await answer(browser, last)
      t.equal((await idIn(browser)) !== null, last === 'yes')
      await answer(browser)
      t.equal((await idIn(browser)) !== null, last === 'yes', 'no attempt is left')
    }
  })
}
