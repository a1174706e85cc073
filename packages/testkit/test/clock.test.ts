import t from 'tap'
import { createClock, createRandom } from '../src/index.ts'

t.test('a clock only moves if it is advanced', async (t) => {
  const { now, advance, set } = createClock(new Date('2030-01-01T00:00:00Z'))
  t.equal(now(), Date.UTC(2030, 0, 1))
  t.equal(now(), Date.UTC(2030, 0, 1))
  advance(90)
  t.equal(now(), Date.UTC(2030, 0, 1, 0, 1, 30))
  set(new Date('2031-05-06T07:08:09Z'))
  t.equal(now(), Date.UTC(2031, 4, 6, 7, 8, 9))
})

t.test('the same seed gives the same bytes, another seed others', async (t) => {
  const first = createRandom(7)
  const again = createRandom(7)
  const bytes = first(32)
  t.equal(bytes.length, 32)
  t.strictSame(again(32), bytes)
  t.notSame(first(32), bytes, 'the next bytes differ')
  t.notSame(createRandom(8)(32), bytes)
})

t.test('the bytes are spread over all values', async (t) => {
  const seen = new Set(createRandom()(20_000))
  t.equal(seen.size, 256)
})
