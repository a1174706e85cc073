import { randomBytes } from 'node:crypto'
import t from 'tap'
import { base64Url, randomUuid } from '../../src/tokens/random.ts'

t.test('a random UUID has the form of RFC 9562 §5.4, and all of its other bits are random', async (t) => {
  t.equal(
    randomUuid((size) => new Uint8Array(size).fill(0xff)),
    'ffffffff-ffff-4fff-bfff-ffffffffffff'
  )
  t.equal(
    randomUuid((size) => new Uint8Array(size)),
    '00000000-0000-4000-8000-000000000000'
  )
  const ids = Array.from({ length: 1000 }, () => randomUuid(randomBytes))
  t.ok(ids.every((id) => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)))
  t.equal(new Set(ids).size, 1000)
})

t.test('bytes in base64url are as in Node', async (t) => {
  for (let length = 0; length < 100; length++) {
    const bytes = randomBytes(length)
    t.equal(base64Url(bytes), bytes.toString('base64url'))
  }
  t.equal(base64Url(new Uint8Array(3).fill(0xff)), '____')
})
