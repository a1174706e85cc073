import { runAxeInside } from '@postern/testkit/axe'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { inTurn } from '@postern/testkit/long'
import t from 'tap'
import { createPageContext } from '../samples.ts'
import { screens } from './screens.ts'
import { openViewer } from './viewer.ts'

t.test('axe-core finds nothing on any screen, light and dark', { skip: withoutChromium }, async (t) => {
  // Reduced motion: no color is on its way to another one.
  const { page, show } = await openViewer(await openChromium(), { reducedMotion: 'reduce' })
  // In `npm test` the screens are light and dark in turn: all have one style sheet.
  const someSchemes = inTurn(['light', 'dark'] as const)
  for (const [name, screen] of Object.entries(screens)) {
    await show(screen, createPageContext())
    for (const colorScheme of someSchemes()) {
      await page.emulateMedia({ colorScheme })
      t.same((await runAxeInside(page)).found, [], `${name}, ${colorScheme}`)
    }
  }
})
