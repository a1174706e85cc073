import t from 'tap'
import { type Shape, told } from '../../src/config/kinds.ts'
import { nearest } from '../../src/schema/suggest.ts'
import { checkShape } from '../../src/config/shape.ts'

const names = ['session', 'secret', 'providers', 'callbacks', 'useSecureCookies', 'url', 'jwt']
const meant: readonly (readonly [written: string, name: string | null])[] = [
  ['sesion', 'session'],
  ['sessions', 'session'],
  ['Session', 'session'],
  ['provider', 'providers'],
  ['calbacks', 'callbacks'],
  ['useSecureCookie', 'useSecureCookies'],
  ['usesecurecookies', 'useSecureCookies'],
  ['uri', 'url'],
  ['secrets', 'secret'],
  ['wallpaper', null],
  ['', null],
  ['session'.repeat(10), null]
]

for (const [written, name] of meant) {
  t.test(`${JSON.stringify(written)} was meant as ${name}`, async (t) => {
    t.equal(nearest(written, names), name)
  })
}

t.test('nothing is near where there is nothing', async (t) => {
  t.equal(nearest('session', []), null)
})

const shape: Shape = {
  name: 'text',
  names: 'texts',
  age: 'seconds',
  count: 'count',
  flag: 'flag',
  call: 'function',
  list: 'list',
  any: 'object',
  choice: ['a', 'b', true],
  either: { oneOf: ['text', [false], { deep: 'count' }] },
  group: { inner: { flag: 'flag' } },
  bytes: { least: 16 },
  share: { least: 0, most: 100 },
  store: { methods: ['get', 'set'], mend: 'pass a store' },
  rule: { every: { points: { least: 1 }, unit: 'text' } }
}

const right: readonly object[] = [
  {},
  { name: '', names: [], age: 0.5, count: 0, flag: false, call: () => undefined, list: [1], any: {}, choice: 'a' },
  { choice: true, either: 'text', group: {} },
  { either: false, group: { inner: {} } },
  { either: { deep: 1 }, group: { inner: { flag: true } } },
  { name: undefined, group: undefined },
  { any: new Map(), names: ['a'] },
  { bytes: 16, share: 0 },
  { bytes: 1e9, share: 100, store: new Map() },
  { rule: { points: 1, unit: '' }, store: undefined }
]

t.test('options of the right kinds have no mistakes', async (t) => {
  for (const options of right) t.same(checkShape(options, shape, ''), [])
})

const wrong: readonly (readonly [options: unknown, option: string, message: string])[] = [
  [{ name: 1 }, 'name', 'expected text, got a number'],
  [{ name: null }, 'name', 'expected text, got null'],
  [{ names: ['a', 1] }, 'names', 'expected a list of texts, got a list of 2'],
  [{ age: 0 }, 'age', 'expected a number of seconds above 0, got 0'],
  [{ age: Number.NaN }, 'age', 'expected a number of seconds above 0, got NaN'],
  [{ count: 1.5 }, 'count', 'expected a whole number, 0 or more, got 1.5'],
  [{ count: -1 }, 'count', 'expected a whole number, 0 or more, got -1'],
  [{ flag: 'true' }, 'flag', 'expected true or false, got text; write it without quotes'],
  [{ flag: '' }, 'flag', 'expected true or false, got nothing'],
  [{ call: {} }, 'call', 'expected a function, got an object'],
  [{ list: {} }, 'list', 'expected a list, got an object'],
  [{ any: [] }, 'any', 'expected an object, got a list of 0'],
  [{ choice: 'c' }, 'choice', 'expected "a" or "b" or true, got another text'],
  [{ either: 1 }, 'either', 'expected text or false or an object, got a number'],
  [{ either: { deep: 'a' } }, 'either.deep', 'expected a whole number, 0 or more, got text'],
  [
    { group: { inner: { flagg: true } } },
    'group.inner.flagg',
    'there is no such option; did you mean group.inner.flag?'
  ],
  [{ constructor: 1 }, 'constructor', 'there is no such option'],
  [
    { rule: { points: 1, unit: '', wallpaper: 1 } },
    'rule.wallpaper',
    'there is no such option; there are points, unit'
  ],
  [{ bytes: 15 }, 'bytes', 'expected a whole number, 16 or more, got 15'],
  [{ bytes: '16' }, 'bytes', 'expected a whole number, 16 or more, got text; write it without quotes'],
  [{ share: 101 }, 'share', 'expected a whole number from 0 to 100, got 101'],
  [{ share: 0.5 }, 'share', 'expected a whole number from 0 to 100, got 0.5'],
  [{ store: {} }, 'store', 'expected an object with get() and set(), got an object; pass a store'],
  [{ store: { get: () => 1 } }, 'store', 'expected an object with get() and set(), got an object; pass a store'],
  [{ store: 'redis' }, 'store', 'expected an object with get() and set(), got text; pass a store'],
  [{ rule: { points: 1 } }, 'rule.unit', 'expected text, got nothing; pass unit too'],
  [{ rule: { points: 0, unit: '' } }, 'rule.points', 'expected a whole number, 1 or more, got 0'],
  [null, 'options', 'expected an object, got null'],
  [[], 'options', 'expected an object, got a list of 0'],
  ['text', 'options', 'expected an object, got text']
]

for (const [options, option, message] of wrong) {
  t.test(`${JSON.stringify(options)}: ${message}`, async (t) => {
    t.same(checkShape(options, shape, ''), [{ option, message }])
  })
}

t.test('what came is told by its kind alone', async (t) => {
  const values = [
    'canary',
    1,
    true,
    () => 'canary',
    ['canary'],
    { canary: 1 },
    null,
    undefined,
    '',
    Symbol('canary'),
    1n
  ]
  t.same(
    values.map((value) => told(value)),
    [
      ...['another text', 'a number', 'a boolean', 'a function', 'a list of 1', 'an object'],
      ...['null', 'nothing', 'nothing', 'a symbol', 'a bigint']
    ]
  )
})
