/// <reference lib="dom" />
import type { LanguagePreference, PageContext, Renderer, Page as Screen } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { renderer as english } from '../../src/index.ts'

/** The policy that the core sends with every screen that has no script. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; frame-ancestors 'none'"

type Drawing = Pick<Required<Renderer>, 'page' | 'asset'>

/** How a screen is shown, other than in English by the built-in renderer. */
export interface Look {
  readonly renderer?: Drawing
  readonly preference?: LanguagePreference
}

/** A browser's window onto screens that need no server, under the policy that they are sent with. */
export interface Viewer {
  readonly context: BrowserContext
  readonly page: Page
  /** Every URL that was requested, except for the screens. */
  readonly requests: string[]
  /** What the browser complained of: refused by the policy, above all. */
  readonly complaints: string[]
  /** What was posted: the path, and the form's fields. */
  readonly posts: { readonly path: string; readonly body: string }[]
  /** Navigates to a screen. */
  readonly load: (screen: Screen, context: PageContext, look?: Look) => Promise<Page>
  /** Shows a screen. In `npm test`, only the first one is navigated to: later ones replace it, under its policy. */
  readonly show: (screen: Screen, context: PageContext, look?: Look) => Promise<Page>
}

/**
 * Ends the transitions of a document that has the rules of every style sheet that it links: its first styles come from
 * before. @returns Whether it has them
 */
const settle = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    if (document.styleSheets.length < document.querySelectorAll('link[rel=stylesheet]').length) return false
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
    return true
  })

/** Asks the page again until it says yes: a page without JavaScript has no listeners. */
async function until(isSo: () => Promise<boolean>, problem: string): Promise<void> {
  const begun = Date.now()
  while (!(await isSo())) if (Date.now() - begun > 30_000) throw new Error(problem)
}

/**
 * Replaces the open document, which costs a quarter of a navigation. Chromium reports a rewritten document as complete
 * while its style sheet is loading. It focuses a field that is inserted with `autofocus` in the first rewritten document at
 * most, and with a later frame: the attribute is set afterwards, so that no field is focused.
 */
async function rewrite(page: Page, html: string): Promise<void> {
  await page.evaluate(
    (text) => {
      document.adoptedStyleSheets = []
      document.open()
      document.write(text)
      document.close()
      for (const field of document.querySelectorAll('[data-autofocus]')) {
        field.removeAttribute('data-autofocus')
        field.setAttribute('autofocus', '')
      }
      window.scrollTo(0, 0)
    },
    html.replaceAll(' autofocus=""', ' data-autofocus=""')
  )
  await until(() => settle(page), 'the style sheet does not load')
}

/** Whether the field that asks for the focus has it: Chromium gives it in a frame, which may come after the load event. */
const hasFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const field = document.querySelector('[autofocus]')
    return !field || field === document.activeElement
  })

/** JavaScript is on, for the tests themselves; the screens have none. */
export async function openViewer(browser: Browser, options: BrowserContextOptions = {}): Promise<Viewer> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, ...options })
  const page = await context.newPage()
  const [requests, complaints, posts]: [string[], string[], { path: string; body: string }[]] = [[], [], []]
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  let shown: { html: string; pageContext: PageContext; renderer: Drawing } | null = null
  await context.route('**/*', async (route) => {
    const request = route.request()
    const { pathname, href } = new URL(request.url())
    if (request.method() === 'POST') {
      posts.push({ path: pathname, body: request.postData() ?? '' })
      return route.fulfill({ status: 204 })
    }
    if (pathname === '/screen' && shown) {
      const headers = { 'content-security-policy': policy }
      return route.fulfill({ body: shown.html, contentType: 'text/html; charset=utf-8', headers })
    }
    requests.push(href)
    const asset = shown?.renderer.asset(pathname.split('/').at(-1) ?? '', shown.pageContext)
    return asset ? route.fulfill(asset) : route.fulfill({ status: 404, body: '' })
  })
  const load: Viewer['load'] = async (
    screen,
    pageContext,
    { renderer = english, preference = { languages: [] } } = {}
  ) => {
    shown = { html: renderer.page(screen, pageContext, preference), pageContext, renderer }
    await page.goto(`${pageContext.origin}/screen`)
    await until(() => hasFocus(page), 'no field has the focus')
    return page
  }
  const show: Viewer['show'] = async (screen, pageContext, look = {}) => {
    if (isLong || page.url() !== `${pageContext.origin}/screen`) return load(screen, pageContext, look)
    const { renderer = english, preference = { languages: [] } } = look
    shown = { html: renderer.page(screen, pageContext, preference), pageContext, renderer }
    await rewrite(page, shown.html)
    return page
  }
  return { context, page, requests, complaints, posts, load, show }
}
