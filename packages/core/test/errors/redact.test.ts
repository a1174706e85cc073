import t from 'tap'
import { allTextsIn, redacted, textsIn } from '../../src/errors/redact.ts'

const messages: readonly (readonly [secret: string, message: string, then: string])[] = [
  ['lovelace', 'pw=lovelace1', 'pw=[hidden]1'],
  ['a1b', "bind failed: uid=ada, pw='a1b', again a1b", "bind failed: uid=ada, pw='[hidden]', again [hidden]"],
  ['a1b', '{"password":"a1b"}', '{"password":"[hidden]"}'],
  ['a1b', 'xa1b a1bc a1b1 a1ba1b', 'xa1b a1bc a1b1 [hidden][hidden]'],
  ['x', 'x', '[hidden]'],
  ['x', 'no match for x, but for (x).', 'no match for [hidden], but for ([hidden]).'],
  ['ä.*', 'got ä.* here, and ä..', 'got [hidden] here, and ä..'],
  ['$&', '$& failed', '[hidden] failed'],
  ['word', 'Wrong password', 'Wrong password']
]

for (const [secret, message, then] of messages) {
  t.test(`log-1: the secret ${secret} in: ${message}`, async (t) => {
    const error = redacted(new Error(message, { cause: new TypeError(message) }), [secret])
    if (!(error instanceof Error && error.cause instanceof Error)) throw new TypeError('expected errors')
    t.same([error.message, error.cause.message], [then, then])
    t.ok(error.stack?.startsWith(`Error: ${then}\n`))
  })
}

t.test('short texts are collected only if asked for, and empty ones never', async (t) => {
  const given = { a: 'short', b: ['long enough', '', { c: 'x' }], d: 7 }
  t.same(textsIn(given), ['long enough'])
  t.same(allTextsIn(given), ['short', 'long enough', 'x'])
})
