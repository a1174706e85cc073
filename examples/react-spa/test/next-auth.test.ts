// The client of next-auth, as it is installed from npm, in a real page.
import t from 'tap'
import { skip } from './chromium.ts'
import { runJourney } from './journey.ts'

t.test('next-auth/react in Chromium', { skip }, (t) => runJourney(t, 'next-auth/react', '19'))
