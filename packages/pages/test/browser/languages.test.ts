import t from 'tap'
import { createRenderer, languages } from '../../src/index.ts'
import { frameWith } from '../samples.ts'
import { misfits } from './misfits.ts'
import { screenOf } from './screens.ts'
import { openChromium, openViewer, withoutChromium } from './viewer.ts'

const names = ['sign-in', 'sign-in-all-ways', 'verify-request-wrong-code', 'other-user', 'error-rate-limited']

t.test('nothing is cut or scrolls sideways in any language, 320 pixels wide', { skip: withoutChromium }, async (t) => {
  const viewer = await openViewer(await openChromium(t), { viewport: { width: 320, height: 640 } })
  for (const language of languages) {
    const renderer = await createRenderer({ languages: [language] })
    for (const name of names) {
      t.same(await misfits(await viewer.show(screenOf(name), frameWith(), { renderer })), [], `${name} ${language}`)
    }
  }
})
