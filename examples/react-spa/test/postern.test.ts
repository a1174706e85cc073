// The same with our own client, and both versions of React.
import t from 'tap'
import { skip } from './chromium.ts'
import { runJourney } from './journey.ts'

for (const major of ['19', '18'] as const) {
  t.test(`@postern/react in Chromium, React ${major}`, { skip }, (t) => runJourney(t, '@postern/react', major))
}
