/// <reference lib="dom" />
import type { Page } from 'playwright-core'

/**
 * Words in headings, buttons, labels and titles of rows that continue on the next line without a hyphen, or with fewer than
 * five letters before or after it. Addresses are as long as they are, and some languages break between any letters.
 *
 * @returns Each word with a `|` where it is broken.
 */
export const findBrokenWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    // The letter after a soft hyphen is measured on both lines.
    const isSplit = (part: string): boolean => /^.{0,4}-$/.test(part) || !/-$|\u00ad.?$/.test(part)
    const breaksAnywhere = /[@\u3040-\u30ff\u4e00-\u9fff]/
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: node } = texts
      const text = node.textContent ?? ''
      const box = node.parentElement?.closest('h1, .button, .row-title, label, summary')
      if (!box?.checkVisibility() || node.parentElement?.matches('.unseen')) continue
      for (const { 0: word, index } of text.matchAll(/\S+/g)) {
        const range = document.createRange()
        const getTop = (at: number): number => {
          range.setStart(node, index + at)
          range.setEnd(node, index + at + 1)
          return range.getBoundingClientRect().top
        }
        const tops = breaksAnywhere.test(word) ? [] : Array.from(word, (_, at) => getTop(at))
        const at = tops.findIndex((top, place) => place > 0 && top - (tops[place - 1] ?? top) > 8)
        if (at > 0 && (isSplit(word.slice(0, at)) || word.length - at < 3))
          found.push(`${word.slice(0, at)}|${word.slice(at)}`)
      }
    }
    return found
  })
