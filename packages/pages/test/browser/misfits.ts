import type { Page } from 'playwright-core'

/** Adds rules as a reader's own style sheet would, past the policy. */
export const adopt = (page: Page, css: string): Promise<void> =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, css)

/** What does not fit: a page that scrolls sideways, and text that leaves its box or is cut. */
export const misfits = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in ${clientWidth}`] : []
    for (const box of document.querySelectorAll('.button, .notice, .identity, .card, .field')) {
      const { left, right, top, bottom } = box.getBoundingClientRect()
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const parent = texts.currentNode.parentElement
        // What is folded has boxes in Chromium; a mark lies on the edge of its button.
        if (!parent?.checkVisibility() || (parent.matches('.mark-text') && box.matches('.button'))) continue
        const range = document.createRange()
        range.selectNodeContents(texts.currentNode)
        for (const rect of range.getClientRects()) {
          const isOut = rect.left < left - 1 || rect.right > right + 1 || rect.top < top - 1 || rect.bottom > bottom + 1
          if (isOut) found.push(`${box.className}: ${texts.currentNode.textContent}`)
        }
      }
      const mark = box.querySelector('.mark')?.getBoundingClientRect()
      const label = box.querySelector('.mark + span')?.firstChild
      if (mark && label) {
        const range = document.createRange()
        range.selectNodeContents(label)
        const text = range.getBoundingClientRect()
        if (text.left < mark.right && mark.left < text.right) found.push(`${label.textContent} lies on its mark`)
      }
    }
    return found
  })
