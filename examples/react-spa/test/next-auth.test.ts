// The client of next-auth, as it is installed from npm, in a real page.

import { withoutChromium } from '@postern/testkit/chromium'
import t from 'tap'
import { runJourney } from './journey.ts'

t.test('next-auth/react in Chromium', { skip: withoutChromium }, (t) => runJourney(t, 'next-auth/react', '19'))
