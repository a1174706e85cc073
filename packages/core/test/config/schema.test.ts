import t from 'tap'
import { checkShape, describeType, type Shape } from '../../src/schema/schema.ts'
import { suggest } from '../../src/schema/suggest.ts'

const names = ['session', 'secret', 'providers', 'callbacks', 'useSecureCookies', 'url', 'jwt']
const expectedDifference: readonly (readonly [written: string, name: string | null])[] = [
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

for (const [written, name] of expectedDifference) {
  t.test(`${JSON.stringify(written)} was meant as ${name}`, async (t) => {
    t.equal(suggest(written, names), name)
  })
}

t.test('an empty list has no suggestion', async (t) => {
  t.equal(suggest('session', []), null)
})

const shape: Shape = {
  name: 'string',
  names: 'strings',
  age: 'seconds',
  count: 'nonNegativeInteger',
  flag: 'boolean',
  call: 'function',
  list: 'list',
  any: 'object',
  choice: ['a', 'b', true],
  either: { oneOf: ['string', [false], { deep: 'nonNegativeInteger' }] },
  group: { inner: { flag: 'boolean' } },
  bytes: { min: 16 },
  share: { min: 0, max: 100 },
  store: { methods: ['get', 'set'], hint: 'pass a store' },
  rule: { allRequired: { points: { min: 1 }, unit: 'string' } }
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
  [{ name: 1 }, 'name', 'expected a string, got a number'],
  [{ name: null }, 'name', 'expected a string, got null'],
  [{ names: ['a', 1] }, 'names', 'expected a list of strings, got a list of 2'],
  [{ age: 0 }, 'age', 'expected a number of seconds above 0, got 0'],
  [{ age: Number.NaN }, 'age', 'expected a number of seconds above 0, got NaN'],
  [{ count: 1.5 }, 'count', 'expected a whole number, 0 or more, got 1.5'],
  [{ count: -1 }, 'count', 'expected a whole number, 0 or more, got -1'],
  [{ flag: 'true' }, 'flag', 'expected true or false, got a string; write it without quotes'],
  [{ flag: '' }, 'flag', 'expected true or false, got nothing'],
  [{ call: {} }, 'call', 'expected a function, got an object'],
  [{ list: {} }, 'list', 'expected a list, got an object'],
  [{ any: [] }, 'any', 'expected an object, got a list of 0'],
  [{ choice: 'c' }, 'choice', 'expected "a" or "b" or true, got another string'],
  [{ either: 1 }, 'either', 'expected a string or false or an object, got a number'],
  [{ either: { deep: 'a' } }, 'either.deep', 'expected a whole number, 0 or more, got a string'],
  [{ group: { inner: { flagg: true } } }, 'group.inner.flagg', 'unknown option; did you mean group.inner.flag?'],
  [{ constructor: 1 }, 'constructor', 'unknown option'],
  [{ rule: { points: 1, unit: '', wallpaper: 1 } }, 'rule.wallpaper', 'unknown option; there are points, unit'],
  [{ bytes: 15 }, 'bytes', 'expected a whole number, 16 or more, got 15'],
  [{ bytes: '16' }, 'bytes', 'expected a whole number, 16 or more, got a string; write it without quotes'],
  [{ share: 101 }, 'share', 'expected a whole number from 0 to 100, got 101'],
  [{ share: 0.5 }, 'share', 'expected a whole number from 0 to 100, got 0.5'],
  [{ store: {} }, 'store', 'expected an object with get() and set(), got an object; pass a store'],
  [{ store: { get: () => 1 } }, 'store', 'expected an object with get() and set(), got an object; pass a store'],
  [{ store: 'redis' }, 'store', 'expected an object with get() and set(), got a string; pass a store'],
  [{ rule: { points: 1 } }, 'rule.unit', 'expected a string, got nothing; pass unit too'],
  [{ rule: { points: 0, unit: '' } }, 'rule.points', 'expected a whole number, 1 or more, got 0'],
  [null, 'options', 'expected an object, got null'],
  [[], 'options', 'expected an object, got a list of 0'],
  ['text', 'options', 'expected an object, got a string']
]

for (const [options, option, message] of wrong) {
  t.test(`${JSON.stringify(options)}: ${message}`, async (t) => {
    const found = checkShape(options, shape, '')
    t.same(
      found.map((problem) => [problem.option, problem.message]),
      [[option, message]]
    )
  })
}

t.test('the message contains only the kind of the value', async (t) => {
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
    values.map((value) => describeType(value)),
    [
      ...['another string', 'a number', 'a boolean', 'a function', 'a list of 1', 'an object'],
      ...['null', 'nothing', 'nothing', 'a symbol', 'a bigint']
    ]
  )
})

t.test('a problem has a code, and the option that was probably meant', async (t) => {
  const codes: readonly (readonly [options: unknown, code: string, suggestion?: string])[] = [
    [{ flag: 'true' }, 'INVALID_TYPE'],
    [{ choice: 'c' }, 'INVALID_VALUE'],
    [{ share: 101 }, 'OUT_OF_RANGE'],
    [{ share: '10' }, 'INVALID_TYPE'],
    [{ store: {} }, 'METHODS_MISSING'],
    [{ store: 'redis' }, 'INVALID_TYPE'],
    [{ rule: { points: 1 } }, 'OPTION_MISSING'],
    [{ constructor: 1 }, 'UNKNOWN_OPTION'],
    [{ group: { inner: { flagg: true } } }, 'UNKNOWN_OPTION', 'group.inner.flag'],
    [null, 'INVALID_TYPE']
  ]
  for (const [options, code, suggestion] of codes) {
    const found = checkShape(options, shape, '')
    t.same(
      found.map((problem) => [problem.code, problem.suggestion]),
      [[code, suggestion]],
      JSON.stringify(options)
    )
  }
})
