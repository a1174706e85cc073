import t from 'tap'
import { isProven, prove } from '../../src/sessions/session-token.ts'
import { addTag, createTags, getTag, removeTag } from '../../src/tokens/application-tag.ts'
import { keyRing } from '../../src/tokens/keys.ts'

const secrets = ['the new secret of the tests, long enough', 'the old secret of the tests, long enough']
const ring = keyRing(secrets, 'application')
const now = Date.UTC(2030, 0, 1)

t.test('application-1: a tag is of one application and one secret', async (t) => {
  const tags = await createTags(ring, '/shop/api/auth')
  t.equal(tags.length, 2, 'one for each secret')
  const others = await createTags(ring, '/admin/api/auth')
  const [, old = ''] = tags
  t.same(await createTags(keyRing(secrets.slice(1), 'application'), '/shop/api/auth'), [old])
  t.equal(new Set([...tags, ...others]).size, 4)
  const token = addTag('random', tags)
  t.equal(getTag(token), tags[0], 'the first is written')
  t.equal(removeTag(token), 'random')
})

t.test('tokens of other makes have no tag', (t) => {
  const random = 'abcdefghijklmnop'
  for (const token of [
    '',
    'random',
    `p1.${random}`,
    `p1.${random}x.rest`,
    `p1..rest`,
    `h1.${random}.rest`,
    `xp1.${random}.rest`
  ]) {
    t.equal(getTag(token), null, token)
    t.equal(removeTag(token), token)
  }
  t.end()
})

t.test('a token with a tag needs its proof, with or without a creation time', async (t) => {
  const cookie = { name: 'proof', options: {} }
  const proof = { cookie, keys: keyRing(secrets, 'session proof') }
  const token = addTag('random', await createTags(ring, '/api/auth'))
  t.notOk(await isProven(token, new Map(), proof))
  const value = (await prove(token, now, proof)).get('proof')?.value ?? ''
  t.ok(await isProven(token, new Map([['proof', value]]), proof))
  t.ok(await isProven('random', new Map(), proof), 'tokens of next-auth v4 have none')
})
