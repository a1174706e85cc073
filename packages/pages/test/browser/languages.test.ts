import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { createRenderer, languages } from '../../src/index.ts'
import { createPageContext } from '../samples.ts'
import { misfits } from './misfits.ts'
import { getScreen } from './screens.ts'
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
