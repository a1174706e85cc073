import { cpuTime } from '@postern/testkit'
import t from 'tap'
import { normalizeEmailAddress } from '../../src/model/normalize-email-address.ts'
import { clientKey } from '../../src/sign-in-methods/client-key.ts'
import { normalizeMailedCode } from '../../src/tokens/mailed-code.ts'
import { shown, texts } from '../texts.ts'

const label63 = 'd'.repeat(63)
const valid: readonly (readonly [text: string, then: string])[] = [
  ['ada@example.com', 'ada@example.com'],
  [' Ada@Example.COM ', 'ada@example.com'],
  ['\u00a0ada@example.com\u3000', 'ada@example.com'],
  ['\tada@example.com\r\n', 'ada@example.com'],
  ['ada.lovelace+tag@mail.example.co.uk', 'ada.lovelace+tag@mail.example.co.uk'],
  ["!#$%&'*+/?=^_`{|}~-a@x.test", "!#$%&'*+/?=^_`{|}~-a@x.test"],
  ['1@2.x3', '1@2.x3'],
  ['a@xn--bcher-kva.test', 'a@xn--bcher-kva.test'],
  ['a@b-c.test', 'a@b-c.test'],
  ['a@ü.test', 'a@xn--tda.test'],
  // Cyrillic letters make another domain, which gets the mail.
  ['a@еxample.com', 'a@xn--xample-2of.com'],
  ['a@x.tеst', 'a@x.xn--tst-rdd'],
  ['ada＠example.com', 'ada@example.com'],
  ['ada﹫example.com', 'ada@example.com'],
  ['ａｄａ@example．com', 'ada@example.com'],
  ['ﬁ@x.test', 'fi@x.test'],
  ['\u212a@x.test', 'k@x.test'],
  [`${'l'.repeat(64)}@x.test`, `${'l'.repeat(64)}@x.test`],
  [`a@${label63}.test`, `a@${label63}.test`],
  [
    `${'l'.repeat(64)}@${`${label63}.`.repeat(2)}${'e'.repeat(56)}.test`,
    `${'l'.repeat(64)}@${`${label63}.`.repeat(2)}${'e'.repeat(56)}.test`
  ]
]

for (const [text, then] of valid) {
  t.test(`an address: ${shown(text)}`, async (t) => {
    t.equal(normalizeEmailAddress(text), then)
  })
}

const refused: readonly (readonly [attack: string, texts: readonly string[]])[] = [
  [
    'two recipients',
    [
      'attacker@a.test,victim@v.test',
      'a@a.test, b@b.test',
      'a@a.test;b@b.test',
      'a@a.test b@b.test',
      'a@a.test\tb@b.test',
      'a@a.test，b@b.test',
      'a@a.test；b@b.test'
    ]
  ],
  [
    'angle brackets, names and markup',
    ['<a@x.test>', 'Ada <a@x.test>', 'a@x.test <b@x.test>', 'a@x.test, <a href=evil>', '<script>@x.test', 'a@<b>.test']
  ],
  [
    'comments and groups',
    ['a(b)@x.test', 'a@x.test(b)', 'a@(b)x.test', 'g:a@x.test;', 'g:a@x.test,b@x.test;', 'mailto:a@x.test']
  ],
  [
    'quotes that move the address',
    [
      '"e@attacker.test"@victim.test',
      '"a"@x.test',
      '"a b"@x.test',
      'a."b"@x.test',
      '"@x.test',
      'a\\@b@x.test',
      'a\\@x.test'
    ]
  ],
  [
    'a second at sign, in any encoding',
    ['a@b@x.test', 'a＠b@x.test', 'a@b﹫x.test', 'a@x.test@', '@a@x.test', '@', '@@', 'a@', '@x.test', '']
  ],
  [
    'characters beyond ASCII',
    [
      'ä@x.test',
      'a@x。test。'.replace('。test', '\u3002te\u00dft'),
      'a\u00adb@x.test',
      'a\u200bb@x.test',
      'a@x\u200d.test',
      'a\u202eb@x.test',
      '\u0130@x.test'
    ]
  ],
  ['a dash that begins like an option', ['-a@x.test', '-oQ/tmp@x.test', '－a@x.test']],
  [
    'line breaks and control characters',
    [
      'a@x.test\r\nBcc: b@x.test',
      'a\r\n@x.test',
      'a@x.test\r\n\0',
      'a@x.test\nb',
      'a\0@x.test',
      'a@x.test\0',
      'a\u0007@x.test',
      'a\u007f@x.test',
      'a\u0085@x.test',
      'a\u2028@x.test'
    ]
  ],
  ['words that a mail program decodes', ['=?utf-8?q?a?=@x.test', 'a=?b@x.test', 'a＝？b@x.test']],
  ['dots out of place', ['.a@x.test', 'a.@x.test', 'a..b@x.test', 'a@.x.test', 'a@x.test.', 'a@x..test', 'a@x․.test']],
  [
    'hosts that are none',
    [
      'a@x',
      'a@localhost',
      'a@127.0.0.1',
      'a@[127.0.0.1]',
      'a@[IPv6:::1]',
      'a@1.2',
      'a@-x.test',
      'a@x-.test',
      'a@x_y.test',
      'a@x.test:25',
      'a@x.test/b',
      'a@x.test?b',
      'a@x.test#b',
      'a@x!y.test',
      'a%b@x',
      'a!b',
      'a@x test'
    ]
  ],
  ['routes', ['@a.test:b@x.test', '<@a.test:b@x.test>']],
  [
    'too long',
    [
      `${'l'.repeat(65)}@x.test`,
      `a@${'d'.repeat(64)}.test`,
      `a@${`${label63}.`.repeat(4)}test`,
      `${'l'.repeat(64)}@${`${label63}.`.repeat(3)}test`,
      `${'ﷺ'.repeat(40)}@x.test`
    ]
  ]
]

for (const [attack, list] of refused) {
  t.test(`no address: ${attack}`, async (t) => {
    for (const text of list) t.equal(normalizeEmailAddress(text), null, shown(text))
  })
}

t.test('hostile lengths and nesting are answered at once', async (t) => {
  const started = cpuTime()
  for (const piece of ['(', ':', 'a.', '@', '"', ',', '\\', ' ', 'ﷺ', 'a@a.', '<', '\u0300']) {
    t.equal(normalizeEmailAddress(piece.repeat(65_536)), null)
    t.equal(normalizeEmailAddress(`${piece.repeat(65_536)}@x.test`), null)
    t.equal(normalizeEmailAddress(piece.repeat(100)), null)
  }
  t.ok(cpuTime() - started < 500)
})

t.test('the result is one plain address, and normalizing it again changes nothing', async (t) => {
  const alphabet = [
    ...[
      'a',
      'Z',
      '0',
      '.',
      '-',
      '+',
      '_',
      '@',
      '@',
      '@x.test',
      'x.test',
      '.test',
      'ada',
      '＠',
      '﹫',
      '．',
      '。',
      'ß',
      'İ',
      'K',
      'ﬁ',
      '½',
      '™'
    ],
    ...[
      '"',
      '(',
      ')',
      '<',
      '>',
      ',',
      ';',
      ':',
      '\\',
      '[',
      ']',
      ' ',
      '\t',
      '\r\n',
      '\0',
      '\u00ad',
      '\u200b',
      '\u202e',
      '%',
      '!',
      "'",
      '😀',
      '\ud800'
    ]
  ]
  const plain = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9.-]{3,253}$/
  let accepted = 0
  for (const text of [...texts(1, 40_000, alphabet, 8), ...texts(2, 20_000, alphabet.slice(0, 13), 6)]) {
    const address = normalizeEmailAddress(text)
    if (address === null) continue
    accepted++
    const isPlain =
      plain.test(address) &&
      address.length <= 254 &&
      address.split('@').length === 2 &&
      address === address.toLowerCase()
    if (!isPlain || normalizeEmailAddress(address) !== address) t.fail(JSON.stringify({ text, address }))
  }
  t.ok(accepted > 500, `${accepted} addresses were accepted`)
})

t.test('a code is read as people type it', async (t) => {
  for (const text of ['BCDFGHJK', 'bcdfghjk', 'BCDF GHJK', ' bcdf-ghjk\n', 'b c d f g h j k'])
    t.equal(normalizeMailedCode(text), 'BCDFGHJK')
  t.equal(normalizeMailedCode(''), '')
  t.equal(normalizeMailedCode('1234'), '')
  t.ok(normalizeMailedCode('B'.repeat(100_000)).length <= 64)
})

const clients: readonly (readonly [address: string | null, then: string])[] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['64:ff9b::192.0.2.1', '192.0.2.1'],
  ['64:FF9B::C000:0201', '192.0.2.1'],
  ['64:ff9b:1::192.0.2.1', '192.0.2.1'],
  ['64:ff9b:1:2::192.0.2.1', '192.0.2.1'],
  ['64:ff9b:2::192.0.2.1', '64:ff9b:2:0::/64'],
  ['64:ff9b:0:1::192.0.2.1', '64:ff9b:0:1::/64'],
  ['2002:c000:201::1', '2002:c000:201:0::/64'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:4136:e378::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  [null, 'unknown'],
  ['', 'unknown']
]

for (const [address, then] of clients) {
  t.test(`a client is counted as ${then}: ${address}`, async (t) => {
    t.equal(clientKey(address), then)
  })
}
