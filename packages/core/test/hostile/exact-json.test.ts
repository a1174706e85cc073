import t from 'tap'
import { NumberLengthError, parseExactJson, quoteLongNumbers } from '../../src/model/exact-json.ts'

const long: readonly string[] = [
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890',
  '9007199254740993.0',
  '9007199254740993.5',
  '9.007199254740993e15',
  '9.007199254740993E+15',
  '1e21',
  '1E400',
  '7.0000000000000001',
  '9007199254740990.6',
  '1e-400',
  '-0.10000000000000000001'
]

for (const number of long) {
  for (const shape of [`{"id":${number}}`, `{ "id" : ${number} }`, `{"id":\n${number}}`, `{"id":\t${number}\r}`]) {
    t.test(`account-1: ${JSON.stringify(shape)} keeps its digits`, async (t) => {
      t.same(parseExactJson(shape), { id: number })
      t.same(JSON.parse(quoteLongNumbers(shape)), { id: number }, 'for any parser')
    })
  }
  t.test(`account-1: [0, [${number},${number}]] keeps its digits`, async (t) => {
    t.same(parseExactJson(`[0, [${number},${number}]]`), [0, [number, number]])
  })
}

for (const text of [
  '{}',
  '{"id":9007199254740991,"negative":-9007199254740991}',
  '{"price":1.5,"latitude":52.52000681234568,"small":1e3,"tiny":1.50e-7,"zero":-0.0e5,"padded":1.00000000000000000}',
  '{"iat":1700000000.123456789,"exp":1700000000.9999999999}',
  '{"id":"9007199254740993","text":"a: 9007199254740993, [1e21]","__proto__":{"a":1}}',
  '{"name":"9007199254740993","list":[true,null,"1e21"]}',
  '"9007199254740993"'
]) {
  t.test(`${text} is what JSON.parse returns`, async (t) => {
    t.strictSame(parseExactJson(text), JSON.parse(text))
    t.strictSame(JSON.parse(quoteLongNumbers(text)), JSON.parse(text))
  })
}

t.test('a text that is not JSON is refused by the parser, and left alone otherwise', async (t) => {
  for (const text of ['', '{"id":9007199254740993', 'id: 9007199254740993', '<p> 1e21', 'a=1&id=9007199254740993']) {
    t.throws(() => parseExactJson(text), SyntaxError)
    t.equal(quoteLongNumbers(text), text)
  }
  const deep = `${'['.repeat(100_000)} 9007199254740993`
  t.equal(quoteLongNumbers(deep), deep)
})

const longest = `0.1${'0'.repeat(396)}1`

t.test(
  'a number of 400 characters keeps its digits; a longer one is refused before it is parsed (CWE-1333)',
  async (t) => {
    t.same(parseExactJson(`{"x":${longest}}`), { x: longest })
    for (const number of [`${longest}1`, `0.1${'0'.repeat(100_000)}1`, '9'.repeat(401), `1e${'0'.repeat(399)}`]) {
      for (const text of [`{"x":${number}}`, `[0,-${number}]`, `["\\"",\n${number}]`, `["\\\\", ${number}]`]) {
        t.throws(() => parseExactJson(text), NumberLengthError)
        t.throws(() => quoteLongNumbers(text), NumberLengthError)
      }
    }
  }
)

t.test('a long run of digits in a string is no number', async (t) => {
  for (const string of ['9'.repeat(1000), `\\" ${'1'.repeat(1000)} "`, `a, ${'0'.repeat(1000)}\\`]) {
    const text = JSON.stringify({ x: string, id: 1 })
    t.same(parseExactJson(text), { x: string, id: 1 })
    t.same(JSON.parse(quoteLongNumbers(text)), { x: string, id: 1 })
  }
})
