import axe from 'axe-core'
import type { Page } from 'playwright-core'
import t from 'tap'
import { frameWith } from '../samples.ts'
import { screenOf, screens } from './screens.ts'
import { openChromium, openViewer, withoutChromium } from './viewer.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe-core finds, with the element. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate(
    (values) => axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] }),
    tags
  )
  if (passes.length < 10) throw new Error(`axe-core looked at ${passes.length} rules only`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
}

t.test('axe-core', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium(t)
  for (const colorScheme of ['light', 'dark'] as const) {
    await t.test(`finds nothing on any screen, ${colorScheme}`, async (t) => {
      const viewer = await openViewer(browser, { colorScheme })
      for (const [name, screen] of Object.entries(screens)) {
        t.same(await findings(await viewer.show(screen, frameWith())), [], name)
      }
      await viewer.context.close()
    })
  }

  await t.test('finds nothing where the brand colour is too light, too dark or half there', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewer = await openViewer(browser, { colorScheme })
      for (const brandColor of ['#ffef5c', '#101216', 'hsl(20 90% 50% / 40%)']) {
        for (const name of ['sign-in', 'verify-request-wrong-code', 'error-default']) {
          t.same(
            await findings(await viewer.show(screenOf(name), frameWith({ brandColor }))),
            [],
            `${name}, ${brandColor}`
          )
        }
      }
      await viewer.context.close()
    }
  })

  await t.test('finds something where there is something', async (t) => {
    const viewer = await openViewer(browser)
    const page = await viewer.show(screenOf('sign-in-wrong-password'), frameWith())
    await page.evaluate(() => document.querySelector('[for*=password]')?.remove())
    t.match((await findings(page)).join('\n'), /^label: <input/m)
    await viewer.context.close()
  })
})
