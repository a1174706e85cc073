import t from 'tap'
import { clearChunked, hasSeveral, readChunked, withoutValues, writeChunked } from '../../src/cookies/chunks.ts'
import { parseCookies } from '../../src/cookies/parse.ts'
import type { RequestCookies, SetCookies } from '../../src/model/cookie.ts'

const setting = { name: 'session', options: { path: '/', httpOnly: true } }
const size = 3933
const expires = new Date('2030-01-01T00:00:00Z')

/** The cookies of a browser after the response. */
function browserAfter(cookies: RequestCookies, set: SetCookies): RequestCookies {
  const held = new Map(cookies)
  for (const [name, { value, expires: end }] of set) {
    if (end?.getTime() === 0) held.delete(name)
    else held.set(name, value)
  }
  return held
}

const getText = (length: number): string =>
  Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 26))).join('')
const write = (value: string, cookies: RequestCookies = new Map()): SetCookies =>
  writeChunked(setting, value, { expires, size, cookies })

for (const length of [1, 2, size - 1, size, size + 1, 2 * size, 2 * size + 1, 10_000, 32_768, 65_536]) {
  t.test(`a value of ${length} characters is read back unchanged`, async (t) => {
    const value = getText(length)
    const held = browserAfter(new Map(), write(value))
    t.equal(held.size, Math.ceil(length / size))
    t.ok([...held.values()].every((chunk) => chunk.length <= size))
    t.same(readChunked(held, 'session'), [value])
  })
}

t.test('1 to 20 chunks come back in the order of numbers, whatever the order of cookies', async (t) => {
  for (let count = 1; count <= 20; count++) {
    const value = getText(count * size - 7)
    const held = [...browserAfter(new Map(), write(value))]
    t.same([...held.map(([name]) => name)], count === 1 ? ['session'] : held.map((_, number) => `session.${number}`))
    t.same(readChunked(new Map(held.toReversed()), 'session'), [value])
    t.same(readChunked(new Map(held.toSorted(([a], [b]) => (a < b ? -1 : 1))), 'session'), [value], 'sorted as text')
  }
})

t.test('a session that shrinks takes its chunks with it: 12 to 2 to 1 and back to 3', async (t) => {
  let held = browserAfter(new Map(), write(getText(12 * size)))
  t.equal(held.size, 12)
  for (const count of [2, 1, 3]) {
    const value = getText(count * size)
    held = browserAfter(held, write(value, held))
    t.equal(held.size, count)
    t.same(readChunked(held, 'session'), [value])
  }
  t.equal(browserAfter(held, clearChunked(setting, held)).size, 0)
})

const left: readonly (readonly [
  what: string,
  cookies: readonly (readonly [string, string])[],
  then: readonly string[]
])[] = [
  ['nothing', [], []],
  ['an empty cookie', [['session', '']], []],
  [
    'an unchunked cookie is never mixed with chunks',
    [
      ['session', 'w'],
      ['session.0', 'a'],
      ['session.1', 'b']
    ],
    ['w', 'ab']
  ],
  [
    'a chunk planted next to an unchunked cookie is tried separately',
    [
      ['session', 'w'],
      ['session.0', 'p']
    ],
    ['w', 'p']
  ],
  [
    'a missing first chunk',
    [
      ['session.1', 'b'],
      ['session.2', 'c']
    ],
    []
  ],
  [
    'a missing middle chunk',
    [
      ['session.0', 'a'],
      ['session.2', 'c']
    ],
    []
  ],
  [
    'a missing middle chunk next to an unchunked cookie',
    [
      ['session', 'w'],
      ['session.0', 'a'],
      ['session.2', 'c']
    ],
    ['w']
  ],
  [
    'a planted chunk with a number far away',
    [
      ['session.0', 'a'],
      ['session.1', 'b'],
      ['session.9', 'p']
    ],
    []
  ],
  [
    'numbers in another spelling are no chunks',
    [
      ['session.0', 'a'],
      ['session.00', 'p'],
      ['session.01', 'p'],
      ['session.1e0', 'p'],
      ['session.-1', 'p'],
      ['session. 1', 'p']
    ],
    ['a']
  ],
  [
    'foreign cookies with the same start are no chunks',
    [
      ['session', 'w'],
      ['session-other', 'p'],
      ['sessions', 'p'],
      ['session.x', 'p'],
      ['session.', 'p']
    ],
    ['w']
  ]
]

for (const [title, cookies, then] of left) {
  t.test(`read: ${title}`, async (t) => {
    t.same(readChunked(new Map(cookies), 'session'), then)
    t.same(readChunked(new Map(cookies.toReversed()), 'session'), then, 'in either order')
  })
}

t.test('several cookies with one name: three at most are tried, in the order of the request', async (t) => {
  const read = (header: string): string[] => readChunked(parseCookies(header), 'session')
  t.same(read('session=a; session=b; session=c; session=d'), ['a', 'b', 'c'])
  t.same(read('session=; session=b'), ['b'])
  t.same(read('session.0=a; session.1=b; session.0=c; session.1=d'), ['ab', 'cd'])
  t.same(read('session.0=a; session.1=b; session.0=c; session.1=d; session.2=e'), ['abe', 'ab', 'cde', 'cd'])
  t.same(read('session.0=c; session.1=d; session.2=e; session.0=a; session.1=b'), ['cde', 'cd', 'abe', 'ab'])
  t.same(read('session=w; session.0=a; session=x'), ['w', 'x', 'a'])
  for (const [header, several] of [
    ['session=a; other=b; other=c', false],
    ['session=a; session.0=b', false],
    ['session=a; session=a', true],
    ['session.0=a; session.1=b; session.1=c', true]
  ] as const)
    t.equal(hasSeveral(parseCookies(header), 'session'), several, header)
  const others = withoutValues(parseCookies('session=a; session=b; session=c'), 'session', ['a', 'c'])
  t.same([...others], [['session', 'b']])
})

t.test('more chunks than a browser keeps are no value', async (t) => {
  const held = new Map(Array.from({ length: 51 }, (_, number) => [`session.${number}`, 'a']))
  t.same(readChunked(held, 'session'), [])
  held.delete('session.50')
  t.same(readChunked(held, 'session'), ['a'.repeat(50)])
})

t.test('only cookies of the request are cleared, with the attributes that they were set with', async (t) => {
  t.equal(clearChunked(setting, new Map([['other', '1']])).size, 0)
  const cleared = clearChunked(
    setting,
    new Map([
      ['session', 'w'],
      ['session.7', 'p'],
      ['other', '1']
    ])
  )
  t.same([...cleared.keys()], ['session', 'session.7'])
  t.same(cleared.get('session'), { value: '', attributes: setting.options, expires: new Date(0) })
})
