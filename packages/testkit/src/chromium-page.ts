/// <reference lib="dom" />
import type { Frame, Page } from 'playwright-core'

/**
 * A control: a CSS selector, or `text=`, `button=` or `link=` and the whole text of a button or link, or `label=` and that of the label
 * of a field. The first one counts that is rendered.
 */
export type Control = string

/** Values of fields, by a CSS selector. */
export type Fields = Readonly<Record<string, string>>

/**
 * Fills fields in and presses a control, in the page. A locator of Playwright does the same with real input events, but every
 * document has to load Playwright's script first: that and the events take as long as the navigation.
 *
 * @throws Error if the control is not there, is disabled, or lies under something else
 */
const act = (page: Page | Frame, control: Control | null, fields: Fields): Promise<void> =>
  page.evaluate(
    ([control, fields]) => {
      const readName = (element: Element): string =>
        Array.from(element.childNodes)
          .filter((part) => !(part instanceof Element && part.matches('svg, [aria-hidden=true]')))
          .map(({ textContent }) => textContent)
          .join('')
          .trim()
      const kinds: Readonly<Record<string, string>> = {
        text: 'a, button, summary',
        button: 'button',
        link: 'a',
        label: 'input'
      }
      const readNames = (element: HTMLElement): readonly string[] =>
        element instanceof HTMLInputElement ? Array.from(element.labels ?? [], readName) : [readName(element)]
      const find = (selector: string): HTMLElement => {
        const [, kind = '', name = ''] = /^(text|button|link|label)=(.*)/s.exec(selector) ?? []
        const matching = [...document.querySelectorAll<HTMLElement>(kinds[kind] ?? selector)]
        const found = matching.find(
          (element) => (kind === '' || readNames(element).includes(name)) && element.getClientRects().length > 0
        )
        if (!found)
          throw new Error(`expected ${selector} on ${location.href}: ${document.body.textContent.slice(0, 500)}`)
        found.scrollIntoView({ block: 'center', behavior: 'instant' })
        const [box = found.getBoundingClientRect()] = found.getClientRects()
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        if (!found.contains(top)) throw new Error(`${selector} lies under ${top?.outerHTML.slice(0, 200)}`)
        if (found.matches(':disabled')) throw new Error(`${selector} is disabled`)
        return found
      }
      const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
      for (const [selector, value] of Object.entries(fields)) {
        const field = find(selector)
        field.focus()
        // React overrides the property of the element itself.
        setValue?.call(field, value)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
      if (control !== null) find(control).click()
    },
    [control, fields] as const
  )

/** Fills fields in. */
export const fill = (page: Page, fields: Fields): Promise<void> => act(page, null, fields)

/** Presses a control that does not leave the page, after fields were filled in. */
export const press = (page: Page, control: Control, fields: Fields = {}): Promise<void> => act(page, control, fields)

/** Follows a link or sends a form, after fields were filled in, and waits for the next page. The control may be in a frame. */
export async function follow(
  page: Page,
  control: Control,
  fields: Fields = {},
  frame: Frame = page.mainFrame()
): Promise<void> {
  const loaded = page.waitForEvent('load')
  // A press that fails rejects first.
  loaded.catch(() => undefined)
  await act(frame, control, fields)
  await loaded
}

/** Follows a link of the frame in a page. */
export const followInFrame = (page: Page, control: Control): Promise<void> =>
  follow(page, control, {}, page.frames().at(-1))

/** The text of the first element that a CSS selector selects. */
export const readText = (page: Page, selector: string): Promise<string> =>
  page.evaluate((selector) => {
    const found = document.querySelector(selector)
    if (!found) throw new Error(`expected ${selector} on ${location.href}: ${document.body.textContent.slice(0, 500)}`)
    return found.textContent ?? ''
  }, selector)

/** Texts of elements, by a CSS selector. */
export type Texts = Readonly<Record<string, string>>

const isLeft = (error: unknown): boolean =>
  error instanceof Error && /context was destroyed|because of a navigation/.test(error.message)

/** Waits until each selector has an element with the text, in the page that is shown or in the next ones. */
export async function waitForTexts(page: Page, texts: Texts): Promise<void> {
  const waiting = page.evaluate(
    (texts) =>
      new Promise<string>((resolve) => {
        const isShown = ([selector, text]: [string, string]): boolean =>
          Array.from(document.querySelectorAll(selector), (each) => each.textContent?.trim()).includes(text)
        const look = (): void => {
          if (Object.entries(texts).every(isShown)) resolve('')
        }
        new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
        setTimeout(() => resolve(`${location.href}: ${document.body.textContent.slice(0, 500)}`), 30_000)
        look()
      }),
    texts
  )
  const found = await waiting.catch((error: unknown) => (isLeft(error) ? null : Promise.reject(error)))
  if (found === null) return waitForTexts(page, texts)
  if (found !== '') throw new Error(`expected ${JSON.stringify(texts)}, found ${found}`)
}
