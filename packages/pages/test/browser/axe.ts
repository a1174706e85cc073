import axe from 'axe-core'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { frameWith } from '../samples.ts'
import { screens } from './screens.ts'
import { openChromium, openViewer } from './viewer.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe-core finds, with the element. */
export async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate(
    (values) => axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] }),
    tags
  )
  if (passes.length < 10) throw new Error(`axe-core looked at ${passes.length} rules only`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
}

/** Looks at every screen, with and without what may go wrong on it. */
export async function findNothing(t: Test, colorScheme: 'light' | 'dark'): Promise<void> {
  const viewer = await openViewer(await openChromium(t), { colorScheme })
  for (const [name, screen] of Object.entries(screens)) {
    t.same(await findings(await viewer.show(screen, frameWith())), [], name)
  }
}
