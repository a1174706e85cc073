import { displayTexts } from '@postern/testkit/display-texts'
import t from 'tap'
import { toDisplayName, toDisplayText } from '../../src/model/display-text.ts'
import { parseEmailAddress, parseName, parsePicture } from '../../src/oauth/profile.ts'

const names: readonly (readonly [unknown, string | null])[] = [
  ['Ada Lovelace', 'Ada Lovelace'],
  ['  Ada ', 'Ada'],
  ['محمد', 'محمد'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['Ada\r\nSet-Cookie: a=b', 'Ada Set-Cookie: a=b'],
  ['\u202eecalevoL', 'ecalevoL'],
  ['\u0000', null],
  ['', null],
  [7, null],
  [{}, null],
  [null, null],
  ['a'.repeat(2000), 'a'.repeat(1000)]
]

const addresses: readonly (readonly [unknown, string | null])[] = [
  ['ada@example.com', 'ada@example.com'],
  [' Ada@Example.COM ', 'ada@example.com'],
  ["o'hara+tag@sub.example.com", "o'hara+tag@sub.example.com"],
  ['ada@localhost', 'ada@localhost'],
  ['ada', null],
  ['ada@', null],
  ['a@b@c', null],
  ['eve@evil.test,ada@example.com', null],
  ['eve@evil.test;ada@example.com', null],
  ['Ada <ada@example.com>', null],
  ['"ada"@example.com', null],
  ['ada@example.com\nbcc:eve@evil.test', null],
  ['ada@exam ple.com', null],
  [`${'a'.repeat(250)}@a.test`, null],
  ['ada\ud800@example.com', null],
  [['ada@example.com'], null],
  [true, null]
]

const pictures: readonly (readonly [unknown, string | null])[] = [
  ['https://example.com/a.png', 'https://example.com/a.png'],
  ['http://example.com/a.png', 'http://example.com/a.png'],
  ['data:image/jpeg;base64,AAAA', 'data:image/jpeg;base64,AAAA'],
  ['data:image/svg+xml,<svg onload="alert(1)">', null],
  ['data:text/html,<script>alert(1)</script>', null],
  ['javascript:alert(1)', null],
  [' javascript:alert(1)', null],
  ['https://example.com/a\0.png\n', 'https://example.com/a.png'],
  ['java\0script:alert(1)', null],
  ['a.png', null],
  [{ url: 'https://example.com/a.png' }, null]
]

for (const [title, read, cases] of [
  ['name', parseName, names],
  ['address', parseEmailAddress, addresses],
  ['picture', parsePicture, pictures]
] as const) {
  for (const [given, expected] of cases) {
    t.test(`${title} ${JSON.stringify(given).slice(0, 60)} → ${expected?.slice(0, 60)}`, async (t) => {
      t.equal(read(given), expected)
    })
  }
}

for (const [what, sent, read] of displayTexts)
  t.test(`page-2: a name is read as it looks: ${what}`, async (t) => {
    t.equal(parseName(sent), read)
    t.equal(toDisplayName(sent, 64), read)
    const text = toDisplayText(sent)
    t.equal(toDisplayText(text), text, 'once is enough')
    t.notMatch(text, /\p{Surrogate}/u)
  })

t.test('a name that is too long ends with a whole character', async (t) => {
  t.equal(toDisplayName('👩'.repeat(65), 64), '👩'.repeat(64))
  t.equal(toDisplayName('👩\u200d👩', 2), '👩', 'and not with a joiner')
  t.equal(toDisplayName(`${'a'.repeat(63)} b`, 64), 'a'.repeat(63))
  t.equal(toDisplayName('a'.repeat(100_000), 64)?.length, 64)
  t.equal(toDisplayName('a'.repeat(101))?.length, 101)
})
