import t from 'tap'
import { formatSessionToken, parseSessionToken, type SessionToken } from '../../src/sessions/session-token.ts'
import { addTag } from '../../src/tokens/application-tag.ts'

const now = Date.UTC(2030, 0, 1)
const tag = 'abcdefghijklmnop'
const plain = { tag: null, secret: 'random', authTime: null, impersonation: null, startedAt: null, remembered: null }
const impersonation = { sessionId: 'a1'.repeat(32), until: now / 1000 + 60 }

t.test('a token is read as it was written', async (t) => {
  const startedAt = new Date(now)
  const tokens: readonly SessionToken[] = [
    plain,
    { ...plain, tag },
    { ...plain, startedAt },
    { ...plain, startedAt, remembered: 0 },
    { ...plain, tag, startedAt, remembered: 60 },
    { ...plain, tag, startedAt, authTime: new Date(now + 5000) },
    { ...plain, tag, startedAt, authTime: new Date(0), impersonation, remembered: 60 },
    { ...plain, startedAt, impersonation }
  ]
  for (const token of tokens) t.same(parseSessionToken(formatSessionToken(token)), token)
  t.equal(
    formatSessionToken({ ...plain, tag, startedAt, authTime: startedAt, impersonation, remembered: 60 }),
    `p1.${tag}.random._vbbc00.!${impersonation.sessionId}.vbbc1o.vbbc00~1o`
  )
  t.equal(formatSessionToken({ ...plain, authTime: startedAt, remembered: 60 }), 'random', 'no part without the time')
})

t.test('a new token contains its creation time', async (t) => {
  t.same(parseSessionToken(formatSessionToken({ ...plain, startedAt: new Date(now + 999) })), {
    ...plain,
    startedAt: new Date(now)
  })
})

t.test('a token of another library is a secret', async (t) => {
  for (const secret of [
    ...['', 'random', 'random.', '.', 'f47ac10b-58cc-4372-a567-0e02b2c3d479', 'a.UPPER', `a.${'1'.repeat(10)}`],
    ...['a.1!', 'a.01', 'a.1~01', 'a.1~', `p1.${tag}x.A`]
  ]) {
    t.same(parseSessionToken(secret), { ...plain, secret })
    t.equal(formatSessionToken(parseSessionToken(secret)), secret)
  }
})

t.test('what follows a tag is not a time', async (t) => {
  t.same(parseSessionToken(addTag('made0~5', [tag])), { ...plain, tag, secret: 'made0~5' })
})
