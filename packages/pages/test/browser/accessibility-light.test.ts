import t from 'tap'
import { findNothing } from './axe.ts'
import { withoutChromium } from './viewer.ts'

t.test('axe-core finds nothing on any screen, light', { skip: withoutChromium }, (t) => findNothing(t, 'light'))
