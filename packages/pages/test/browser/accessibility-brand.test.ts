import { runAxe, runAxeInside } from '@postern/testkit/axe'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { isLong, some } from '@postern/testkit/long'
import t from 'tap'
import { createPageContext } from '../samples.ts'
import { getScreen } from './screens.ts'
import { openViewer } from './viewer.ts'

t.test('axe-core', { skip: withoutChromium }, async (t) => {
  const viewer = await openViewer(await openChromium(), { reducedMotion: 'reduce' })

  await t.test('finds nothing if the brand color is too light, too dark or translucent', async (t) => {
    const names = ['sign-in', 'verify-request-wrong-code', 'error-default']
    const cases = ['#ffef5c', '#101216', 'hsl(20 90% 50% / 40%)'].flatMap((brandColor) =>
      (['light', 'dark'] as const).flatMap((colorScheme) => names.map((name) => ({ brandColor, colorScheme, name })))
    )
    for (const { brandColor, colorScheme, name } of some(cases, Object.values)) {
      const page = await viewer.show(getScreen(name), createPageContext({ brandColor }))
      await page.emulateMedia({ colorScheme })
      t.same((await runAxeInside(page, isLong ? 'all' : 'colors')).found, [], `${name}, ${brandColor}, ${colorScheme}`)
    }
  })

  await t.test('finds an existing problem', async (t) => {
    const page = await viewer.show(getScreen('sign-in-wrong-password'), createPageContext())
    await page.evaluate(() => document.querySelector('[for*=password]')?.remove())
    t.match((await runAxe(page)).found.join('\n'), /^label: <input/m)
  })
})
