import t from 'tap'
import { findNothing } from './axe.ts'
import { withoutChromium } from './viewer.ts'

t.test('axe-core finds nothing on any screen, light and dark', { skip: withoutChromium }, findNothing)
