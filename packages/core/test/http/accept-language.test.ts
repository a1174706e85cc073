import t from 'tap'
import { acceptedLanguages, languageCookie, wishOf } from '../../src/http/accept-language.ts'

const headers: readonly (readonly [header: string, languages: readonly string[]])[] = [
  ['', []],
  ['de', ['de']],
  ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', ['de-DE', 'de', 'en-US', 'en']],
  ['en;q=0.1, fr;q=0.9,  it ; q=0.95', ['it', 'fr', 'en']],
  ['a1,en;q=0.5', ['en']],
  ['EN-us, PT-br;Q=0.5', ['en-US', 'pt-BR']],
  ['zh-hans-cn', ['zh-Hans-CN']],
  ['iw', ['he']],
  ['*', []],
  ['*;q=0.5, fr;q=0.1', ['fr']],
  ['de;q=0, fr', ['fr']],
  ['de;q=0.000, fr', ['fr']],
  ['de;q=1.000, fr', ['de', 'fr']],
  ['de;q=2, fr', ['fr']],
  ['de;q=-1, fr', ['fr']],
  ['de;q=1e-1, fr', ['fr']],
  ['de;q=, fr', ['fr']],
  ['de;q=0.1234, fr', ['fr']],
  ['de;level=1, fr', ['fr']],
  [', ,;q=1,-,--,de-', []],
  ['en fr', []],
  ['__proto__, constructor', []],
  ['de\u0000, <script>', []]
]

for (const [header, languages] of headers) {
  t.test(`Accept-Language: ${JSON.stringify(header)}`, async (t) => t.same(acceptedLanguages(header), languages))
}

t.test('equal weights keep their order', async (t) => {
  t.same(acceptedLanguages('nl;q=0.5,de;q=0.5,fr;q=0.5,en'), ['en', 'nl', 'de', 'fr'])
})

t.test('a long header is read to a bound, and what is cut off there is not read as another language', async (t) => {
  const languages = acceptedLanguages(`${'x'.repeat(509)},fr-CA`)
  t.same(languages, [], 'cut after fr')
  const many = Array.from({ length: 100 }, () => 'de').join()
  t.equal(acceptedLanguages(many).length, 20)
  const started = process.hrtime.bigint()
  acceptedLanguages(`${';q=0.1,'.repeat(1000)}${' '.repeat(1_000_000)}`)
  t.ok(process.hrtime.bigint() - started < 50_000_000n, 'in time')
})

const wish = (cookie: string | null, header: string | readonly string[] | undefined): ReturnType<typeof wishOf> =>
  wishOf({
    cookies: new Map(cookie === null ? [] : [[languageCookie, cookie]]),
    headers: { 'accept-language': header }
  })

t.test('the cookie comes before the header', async (t) => {
  t.same(wish('fr', 'de,en;q=0.5').languages, ['fr', 'de', 'en'])
  t.same(wish('en', 'de,en;q=0.5').languages, ['en', 'de'], 'each once')
  t.same(wish(null, 'de').languages, ['de'])
  t.same(wish('fr', undefined).languages, ['fr'])
  t.same(wish(null, undefined).languages, [])
})

t.test('a cookie that is no tag wishes for nothing', async (t) => {
  for (const cookie of [
    '',
    ' ',
    'de,fr',
    '../de',
    '<script>',
    'x'.repeat(5000),
    'de\nfr',
    `de${'-aaaaaaaa'.repeat(9)}`
  ])
    t.same(wish(cookie, 'nl').languages, ['nl'], JSON.stringify(cookie.slice(0, 40)))
})

t.test('a cookie and a header are not taken for each other', async (t) => {
  t.same(wish('de', 'fr').languages, ['de', 'fr'])
  t.same(wish('fr', 'de').languages, ['fr', 'de'])
  t.same(wish(null, ['de', 'fr']).languages, [], 'a header that came twice says nothing')
})

t.test('equal wishes are one object, and the number that is kept is bounded', async (t) => {
  const first = wish(null, 'de-AT')
  t.equal(wish(null, 'de-AT'), first)
  t.ok(Object.isFrozen(first) && Object.isFrozen(first.languages))
  for (let number = 0; number < 200; number++) wish(null, `de;q=0.${number}`)
  t.not(wish(null, 'de-AT'), first)
})
