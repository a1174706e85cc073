import { lookAround } from '@postern/testkit/journey'
import t from 'tap'
import { samples } from '../src/samples.ts'
import { openDemo } from './open-demo.ts'

t.test('the front page links every screen, and each answers', async (t) => {
  const demo = await openDemo(t)
  await lookAround(t, demo.url, Object.keys(samples))
})
