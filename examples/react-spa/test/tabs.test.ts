// Two tabs of one browser, each with a separate client.

import { withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import type { Page } from 'playwright-core'
import t from 'tap'
import { ada, type ClientName, open, prepare, shows, visit } from './journey.ts'

const pairs: readonly (readonly [one: ClientName, other: ClientName])[] = [
  ['next-auth/react', '@postern/react'],
  ['@postern/react', 'next-auth/react'],
  ['next-auth/react', 'next-auth/react'],
  ['@postern/react', '@postern/react']
]

/** In `npm test` each client notifies, and is notified; in the long run also by another tab with itself. */
const tested = isLong ? pairs : pairs.slice(0, 2)

let seconds = 0

/** next-auth's messages have whole seconds, and writing the same text twice emits no event. Moves the page's clock on. */
async function moveOn(page: Page): Promise<void> {
  seconds += 5
  await page.clock.setFixedTime(Date.now() + seconds * 1000)
}

t.test('two tabs in Chromium', { skip: withoutChromium }, async (t) => {
  const { browser, server } = await prepare(t, '19')
  for (const [one, other] of tested) {
    t.test(`a tab with ${one} notifies a tab with ${other}`, async (t) => {
      const here = await visit(t, browser, server, one)
      const there = await open(t, here.context, server, other)
      await shows(here.page, 'unauthenticated')
      await shows(there.page, 'unauthenticated')
      await moveOn(here.page)
      await here.page.evaluate((fields) => void window.probe.signIn('credentials', fields), ada)
      await shows(here.page, 'authenticated', 'Ada Lovelace')
      await shows(there.page, 'authenticated', 'Ada Lovelace')
      await moveOn(here.page)
      await here.page.evaluate(() => window.probe.update({ name: 'Augusta' }))
      await shows(there.page, 'authenticated', 'Augusta')
      await moveOn(here.page)
      await here.page.evaluate(() => window.probe.signOut({ redirect: false }))
      await shows(there.page, 'unauthenticated')
      t.equal(there.page.url(), there.url, 'the other page stays')
    })
  }

  t.test('with Postern’s client a sign-in without a redirect is broadcast too, and a reload is not', async (t) => {
    const here = await visit(t, browser, server, '@postern/react')
    const there = await open(t, here.context, server, '@postern/react')
    await shows(there.page, 'unauthenticated')
    await here.page.evaluate((fields) => window.probe.signIn('credentials', { ...fields, redirect: false }), ada)
    await shows(there.page, 'authenticated', 'Ada Lovelace')
    const read = there.reads()
    const message = await there.page.evaluate(() => localStorage.getItem('nextauth.message'))
    for (let count = 0; count < 3; count += 1) {
      await here.page.reload()
      await shows(here.page, 'authenticated', 'Ada Lovelace')
    }
    await there.page.evaluate(() => window.probe.getSession())
    t.equal(there.reads(), read + 1, 'its own read only')
    t.equal(await there.page.evaluate(() => localStorage.getItem('nextauth.message')), message)
  })
})
