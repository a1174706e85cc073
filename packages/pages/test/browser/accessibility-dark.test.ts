import t from 'tap'
import { findNothing } from './axe.ts'
import { withoutChromium } from './viewer.ts'

t.test('axe-core finds nothing on any screen, dark', { skip: withoutChromium }, (t) => findNothing(t, 'dark'))
