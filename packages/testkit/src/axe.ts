/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

declare const axe: typeof import('axe-core')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const options = {
  all: { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] },
  colors: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }, resultTypes: ['violations'] }
} as const satisfies Record<string, RunOptions>

/** What axe-core found on a page. */
export interface AxeReport {
  /** Each element that breaks a rule, after the name of the rule. */
  readonly found: readonly string[]
  /** Whether the contrast of any text was calculated. axe-core does not calculate that of words in Arabic letters alone. */
  readonly hasContrast: boolean
}

let source: string | null = null

/** The minified build takes half of the time to load. */
const readSource = (): string =>
  (source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))

/**
 * Runs axe-core in the page that is shown.
 *
 * @param about - Every rule of WCAG 2.2 AA and the recommended ones, or those about colors. @defaultValue `'all'`
 * @throws Error if hardly any of all rules concerned the page
 */
export async function runAxe(page: Page, about: 'all' | 'colors' = 'all'): Promise<AxeReport> {
  // Playwright evaluates through the debugger, to which the policy of the page does not apply.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readSource())
  // The page returns little: to return all results takes as long as to find them.
  const { found, passed, hasContrast } = await page.evaluate(async (options) => {
    const { violations, passes, incomplete } = await axe.run(document, options)
    return {
      found: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`)),
      passed: passes.length,
      hasContrast: [...violations, ...passes, ...incomplete].some(({ id }) => id === 'color-contrast')
    }
  }, options[about])
  if (about === 'all' && passed < 10) throw new Error(`axe-core looked at ${passed} rules only`)
  return { found, hasContrast }
}
