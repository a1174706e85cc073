// The same with Postern’s client; with React 18 in the long run, as packages/react draws with both.

import { withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { runJourney } from './journey.ts'

for (const major of isLong ? (['19', '18'] as const) : (['19'] as const)) {
  t.test(`@postern/react in Chromium, React ${major}`, { skip: withoutChromium }, (t) =>
    runJourney(t, '@postern/react', major)
  )
}
