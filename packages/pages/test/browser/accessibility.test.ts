import { runAxe } from '@postern/testkit/axe'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { createPageContext } from '../samples.ts'
import { screens } from './screens.ts'
import { openViewer } from './viewer.ts'

t.test('axe-core finds nothing on any screen, light and dark', { skip: withoutChromium }, async (t) => {
  // Reduced motion: no color is on its way to another one.
  const { page, show } = await openViewer(await openChromium(), { reducedMotion: 'reduce' })
  for (const [name, screen] of Object.entries(screens)) {
    await show(screen, createPageContext())
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // A dark screen differs from a light one in its colors.
      const about = colorScheme === 'dark' && !isLong ? 'colors' : 'all'
      t.same((await runAxe(page, about)).found, [], `${name}, ${colorScheme}`)
    }
  }
})
