import { languages } from '@postern/pages'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { findBrokenWords } from '@postern/testkit/line-breaks'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { createAccountGallery } from '../src/account-gallery/account-gallery.ts'
import { openDemo } from './open-demo.ts'

/** The screens with the longest words, and with the most titles of rows. */
const wordy = [
  'second-factor',
  'second-factor-recovery-codes',
  'second-factor-few-codes',
  'account-email-confirm',
  'account-activity'
]

t.test(
  'no word of an account page is broken without a hyphen, 320 pixels wide',
  { skip: withoutChromium },
  async (t) => {
    const { pages } = await createAccountGallery('Postern demo')
    const demo = await openDemo(t)
    const browser = await openChromium()
    const page = await browser.newPage({ viewport: { width: 320, height: 600 } })
    for (const language of isLong ? languages : ['de', 'de-informal', 'nl', 'pt'])
      for (const name of isLong ? Object.keys(pages) : wordy) {
        await page.goto(`${demo.url}/screens/${name}?language=${language}`)
        t.same(await findBrokenWords(page), [], `${name} ${language}`)
      }
  }
)
