import { openChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import axe, { type RunOnly } from 'axe-core'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { createPageContext } from '../samples.ts'
import { screens } from './screens.ts'
import { openViewer } from './viewer.ts'

const tags: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
}
const colors: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** What axe-core finds, with the element: by every rule, or by those about colors. */
export async function findings(page: Page, about: 'all' | 'colors' = 'all'): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate(
    (runOnly) => axe.run(document, { runOnly, resultTypes: ['violations'] }),
    about === 'all' ? tags : colors
  )
  if (passes.length < (about === 'all' ? 10 : 1)) throw new Error(`axe-core looked at ${passes.length} rules only`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
}

/** Looks at every screen in both color schemes: a dark one differs from a light one in its colors. */
export async function findNothing(t: Test): Promise<void> {
  // Reduced motion: no color is on its way to another one.
  const { page, show } = await openViewer(await openChromium(), { reducedMotion: 'reduce' })
  for (const [name, screen] of Object.entries(screens)) {
    await show(screen, createPageContext())
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const about = colorScheme === 'dark' && !isLong ? 'colors' : 'all'
      t.same(await findings(page, about), [], `${name}, ${colorScheme}`)
    }
  }
}
