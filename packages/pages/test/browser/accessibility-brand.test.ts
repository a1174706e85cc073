import t from 'tap'
import { frameWith } from '../samples.ts'
import { findings } from './axe.ts'
import { screenOf } from './screens.ts'
import { openChromium, openViewer, withoutChromium } from './viewer.ts'

t.test('axe-core', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium(t)

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
