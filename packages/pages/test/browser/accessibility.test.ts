import { withoutChromium } from '@postern/testkit/chromium'
import t from 'tap'
import { findNothing } from './axe.ts'

t.test('axe-core finds nothing on any screen, light and dark', { skip: withoutChromium }, findNothing)
