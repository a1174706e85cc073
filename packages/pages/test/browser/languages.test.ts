import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { findBrokenWords } from '@postern/testkit/line-breaks'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { createRenderer, languages } from '../../src/index.ts'
import { createPageContext } from '../samples.ts'
import { adopt, misfits } from './misfits.ts'
import { getScreen, screens } from './screens.ts'
import { openViewer } from './viewer.ts'

const names = ['sign-in', 'sign-in-all-ways', 'verify-request-wrong-code', 'other-user', 'error-rate-limited']

t.test('nothing is cut or scrolls sideways in any language, 320 pixels wide', { skip: withoutChromium }, async (t) => {
  const viewer = await openViewer(await openChromium(), { viewport: { width: 320, height: 640 } })
  for (const [turn, language] of languages.entries()) {
    const renderer = await createRenderer({ languages: [language] })
    // One screen in each language, another one in the next; in the long run all of them.
    for (const name of names.filter((_, index) => isLong || (index + turn) % names.length === 0)) {
      t.same(
        await misfits(await viewer.show(getScreen(name), createPageContext(), { renderer })),
        [],
        `${name} ${language}`
      )
    }
  }
})

t.test('no word is broken without a hyphen, nor after a letter of it', { skip: withoutChromium }, async (t) => {
  const viewer = await openViewer(await openChromium(), { viewport: { width: 320, height: 640 } })
  const all = isLong ? Object.keys(screens) : ['sign-in-password', 'verify-request-spent']
  // The languages in which labels of these screens have hyphens; in the long run all of them.
  for (const language of isLong ? languages : (['en', 'de', 'fr', 'pl', 'tr'] as const)) {
    const renderer = await createRenderer({ languages: [language] })
    for (const name of all.filter((each) => !each.endsWith('-long')))
      t.same(
        await findBrokenWords(await viewer.show(getScreen(name), createPageContext(), { renderer })),
        [],
        `${name} ${language}`
      )
  }
  await viewer.show(getScreen('sign-in-email-only'), createPageContext())
  t.same(await findBrokenWords(viewer.page), [], 'the sign-in link is one word')
  await adopt(viewer.page, '.word{white-space:normal}.button{width:4rem;padding:0}')
  t.match((await findBrokenWords(viewer.page)).join(), '|', 'a broken word is found')
})
