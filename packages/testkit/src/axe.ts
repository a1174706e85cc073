/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'

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

/** What axe-core judges: the document with its rules, and how the browser shows it. */
interface Shown {
  readonly html: string
  readonly media: NonNullable<Parameters<Page['emulateMedia']>[0]>
}

/** Reads the document that is shown: its style sheets become a part of it, its scripts do not. */
const readShown = (page: Page): Promise<Shown> =>
  page.evaluate(() => {
    const copy = new DOMParser().parseFromString(document.documentElement.outerHTML, 'text/html')
    for (const element of copy.querySelectorAll('script, link[rel=stylesheet], style')) element.remove()
    // Text, as the policy of the page forbids to create an element with rules.
    const rules = [...document.styleSheets, ...document.adoptedStyleSheets].map(({ media, cssRules }) => {
      const text = Array.from(cssRules, ({ cssText }) => cssText).join('\n')
      return media.length > 0 ? `@media ${media.mediaText}{${text}}` : text
    })
    const has = (query: string): boolean => matchMedia(`(${query})`).matches
    return {
      html: `<!doctype html>${copy.documentElement.outerHTML.replace('</head>', () => `<style>${rules.join('\n')}</style></head>`)}`,
      media: {
        colorScheme: has('prefers-color-scheme: dark') ? 'dark' : 'light',
        forcedColors: has('forced-colors: active') ? 'active' : 'none',
        contrast: has('prefers-contrast: more') ? 'more' : 'no-preference',
        reducedMotion: 'reduce'
      }
    }
  })

const laboratories = new WeakMap<Browser, Promise<Page>>()

async function openLaboratory(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.evaluate(readSource())
  return page
}

/** Shows a copy of what a page shows in a page that has axe-core. */
async function copyShown(page: Page): Promise<Page> {
  const browser = page.context().browser()
  if (!browser) throw new Error('expected a page of a browser')
  const opened = laboratories.get(browser) ?? openLaboratory(browser)
  laboratories.set(browser, opened)
  const [laboratory, { html, media }] = await Promise.all([opened, readShown(page)])
  const viewport = page.viewportSize()
  if (viewport) await laboratory.setViewportSize(viewport)
  await laboratory.emulateMedia(media)
  await laboratory.evaluate((text) => {
    document.open()
    document.write(text)
    document.close()
  }, html)
  return laboratory
}

/**
 * Runs axe-core on a copy of the page that is shown. To load it into a document takes twice as long as the navigation, so
 * that one page has it, whose document becomes each of the copies.
 *
 * @param about - Every rule of WCAG 2.2 AA and the recommended ones, or those about colors. @defaultValue `'all'`
 * @throws Error if hardly any of all rules concerned the page
 */
export const runAxe = async (page: Page, about: 'all' | 'colors' = 'all'): Promise<AxeReport> =>
  runAxeInside(await copyShown(page), about)

/** Runs axe-core in the page that is shown, which keeps it when the document is rewritten. */
export async function runAxeInside(page: Page, about: 'all' | 'colors' = 'all'): Promise<AxeReport> {
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
