import { createRandom } from '@postern/testkit'
import t from 'tap'
import { equalInConstantTime, keyedHash, keyedHashes } from '../../src/tokens/hash.ts'
import { keyRing } from '../../src/tokens/keys.ts'
import { randomBase64Url, randomHex, randomLetters } from '../../src/tokens/random.ts'

const pairs: readonly (readonly [left: string, right: string])[] = [
  ['', ''],
  ['a', 'a'],
  ['a', 'b'],
  ['a', ''],
  ['', 'a'],
  ['ab', 'a'],
  ['a', 'ab'],
  ['ab', 'abab'],
  ['abab', 'ab'],
  ['\0', ''],
  ['', '\0'],
  ['a', 'a\0'],
  ['a\0', 'a'],
  ['aa', 'a'],
  ['ä', 'a'],
  ['a', 'A'],
  ['\u0100', '\0'],
  ['😀', '😀'],
  ['0'.repeat(64), '0'.repeat(64)],
  ['0'.repeat(64), `${'0'.repeat(63)}1`],
  ['0'.repeat(64), `1${'0'.repeat(63)}`],
  ['0'.repeat(64), '0'.repeat(65)]
]

t.test('two strings are equal only if they are identical', async (t) => {
  for (const [left, right] of pairs)
    t.equal(equalInConstantTime(left, right), left === right, JSON.stringify([left, right]))
})

t.test('a keyed hash is the first of those that every secret makes', async (t) => {
  const ring = keyRing(['new', 'old'], 'email token')
  const hashes = await keyedHashes(ring, 'text')
  t.equal(hashes.length, 2)
  t.equal(hashes[0], await keyedHash(ring, 'text'))
  t.equal(hashes[1], await keyedHash(keyRing(['old'], 'email token'), 'text'))
  t.match(hashes[0], /^[\w-]{43}$/)
  t.not(await keyedHash(keyRing(['new'], 'code'), 'text'), hashes[0], 'each purpose has its own')
})

t.test('bytes are written in hex and base64url', async (t) => {
  const bytes = (size: number): Uint8Array => new Uint8Array([0, 1, 15, 16, 250, 251, 254, 255]).slice(0, size)
  t.equal(randomHex(bytes, 8), '00010f10fafbfeff')
  t.equal(randomBase64Url(bytes, 8), 'AAEPEPr7_v8')
  t.equal(randomHex(createRandom(), 32).length, 64)
  t.match(randomBase64Url(createRandom(), 32), /^[\w-]{43}$/)
})

t.test('letters are of the alphabet, and each is as likely as any other', async (t) => {
  const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
  const count = 40_000
  const letters = randomLetters((size) => crypto.getRandomValues(new Uint8Array(size)), alphabet, count)
  t.equal(letters.length, count)
  const expected = count / alphabet.length
  const deviation = [...alphabet].map((letter) => (letters.split(letter).length - 1 - expected) ** 2 / expected)
  // Chi-squared with 19 degrees of freedom: above 60 once in a hundred thousand runs.
  t.ok(deviation.reduce((sum, square) => sum + square, 0) < 60)
})

t.test('a byte that would make one letter likelier is not used', async (t) => {
  const bytes = [255, 240, 239, 0, 254, 19, 20, 241]
  const letters = randomLetters((size) => Uint8Array.from(bytes.splice(0, size)), 'BCDFGHJKLMNPQRSTVWXZ', 4)
  t.equal(letters, 'ZBZB')
})
