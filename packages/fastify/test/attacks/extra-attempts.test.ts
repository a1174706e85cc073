import { memoryAdapter } from '@postern/adapters/memory'
import { type Feature, redirect } from '@postern/core/feature'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import t, { type Test } from 'tap'
import { createTestGate } from '../interruption-feature.ts'
import { createFaulty, type Faults, someSettings, toName } from './link-faults.ts'
import { answer } from './pending-setup.ts'
import { choose, startOverlap } from './session-setup.ts'
import { address, idIn, withId } from './setup.ts'

/** Submits the form. @returns The key of the ticket of its sign-in, which waits. */
async function enterForm(browser: Browser, faults: Faults): Promise<{ readonly kind: string; readonly id: string }> {
  let id = ''
  faults.before = async (name, args) => {
    const text = JSON.stringify(args)
    if (name === 'createTicket' || name === 'transact') id = /"pending-sign-in","id":"([^"]+)"/.exec(text)?.[1] ?? id
  }
  await browser.submit('/api/auth/callback/credentials', { name: 'x' })
  faults.before = null
  return { kind: 'pending-sign-in', id }
}

/** Another feature, whose interruption is due after the first one. */
function createLaterGate(): Feature {
  return {
    id: 'later',
    needs: ['createTicket', 'consumeTicket'],
    setup: () => ({
      texts: { en: { title: 'And one more' } },
      interruptions: [
        {
          id: 'later',
          order: 500,
          isDue: () => true,
          show: () => redirect('/'),
          verify: () => 'passed'
        }
      ]
    })
  }
}

// The last attempt at an interruption is right and continues, as the codes of a forced enrollment do, so there is another one.

for (const setting of someSettings()) {
  t.test(`${toName(setting)}: a form waits for nine minutes, and continues at two interruptions`, async (t: Test) => {
    const form = credentials({
      credentials: { name: { label: 'Name' } },
      authorize: () => ({ id: 'vera', email: address })
    })
    const { adapter, faults } = createFaulty(choose(memoryAdapter(), setting.hasTransactions))
    const started = await startOverlap(t, adapter, {
      session: { strategy: setting.strategy },
      providers: [form],
      features: [createTestGate(true).feature, createLaterGate()],
      callbacks: withId
    })
    const browser = started.newBrowser()
    const key = await enterForm(browser, faults)
    for (let tries = 0; tries < 4; tries++) await answer(browser, 'no')
    const seen: boolean[] = []
    faults.after = async (name) => {
      if (name !== 'readTicket') seen.push((await adapter.readTicket?.(key)) !== null)
    }
    t.equal((await answer(browser, 'more')).status, 200, 'it asks again')
    faults.after = null
    t.ok(seen.length > 0)
    t.notOk(seen.includes(false), 'its ticket stays')
    started.clock.advance(540)
    t.match((await answer(browser)).location, /verify/, 'the next interruption is due')
    started.clock.advance(540)
    await browser.submit('/api/auth/verify/later', {})
    t.ok(await idIn(browser), 'it is complete')
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
