/// <reference lib="dom" />
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import type { Page } from 'playwright-core'
import t from 'tap'
import { createAccountGallery } from '../src/account-gallery/account-gallery.ts'
import { samples } from '../src/samples.ts'
import { openDemo } from './open-demo.ts'

/** What a user sees at once after a mistake. */
const look = (page: Page) =>
  page.evaluate(() => {
    const isInside = (element: Element): boolean => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    }
    const messages = [...document.querySelectorAll('.notice-problem, .field-error')].filter((each) =>
      each.checkVisibility()
    )
    const problemColor = (element: Element): string =>
      getComputedStyle(element.querySelector('.notice-icon') ?? element).color
    const probe = document.querySelector('main')?.appendChild(document.createElement('p'))
    probe?.classList.add('field-error')
    const color = probe ? getComputedStyle(probe).color : ''
    probe?.remove()
    const [first] = messages
    return {
      isInside: first === undefined || isInside(first),
      isFocusInside: [...document.querySelectorAll('[autofocus]')].every(isInside),
      hasProblemColor: messages.every((each) => problemColor(each) === color && getComputedStyle(each).color === color),
      overflow: document.documentElement.scrollWidth - innerWidth
    }
  })

t.test(
  'after a mistake, the message and the field are on the first screen of a phone',
  { skip: withoutChromium },
  async (t) => {
    const { pages } = await createAccountGallery('Postern demo')
    const demo = await openDemo(t)
    const browser = await openChromium()
    const page = await browser.newPage({ viewport: { width: 390, height: 600 } })
    let count = 0
    for (const name of [...Object.keys(samples), ...Object.keys(pages)]) {
      const url = `${demo.url}/screens/${name}`
      const isFailed = /class="notice notice-problem error"|aria-invalid="true"/.test(await (await fetch(url)).text())
      if (!isFailed) continue
      count += 1
      await page.goto(url)
      t.same(await look(page), { isInside: true, isFocusInside: true, hasProblemColor: true, overflow: 0 }, name)
    }
    t.ok(count >= 20, `${count} mistakes`)
  }
)
