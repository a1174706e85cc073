import t from 'tap'
import { acceptedLanguages, getLanguagePreference, languageCookie } from '../../src/http/accept-language.ts'

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

t.test('a long header is truncated, and the truncated entry is not read as another language', async (t) => {
  const languages = acceptedLanguages(`${'x'.repeat(509)},fr-CA`)
  t.same(languages, [], 'cut after fr')
  const many = Array.from({ length: 100 }, () => 'de').join()
  t.equal(acceptedLanguages(many).length, 20)
  // A header is cut before it is read: one that would take a backtracking reader hours ends at once.
  const attack = `${';q=0.1,'.repeat(1000)}${' '.repeat(1_000_000)}`
  t.same(acceptedLanguages(attack), acceptedLanguages(attack.slice(0, 512)))
})

const preference = (
  cookie: string | null,
  header: string | readonly string[] | undefined
): ReturnType<typeof getLanguagePreference> =>
  getLanguagePreference({
    cookies: new Map(cookie === null ? [] : [[languageCookie, cookie]]),
    headers: { 'accept-language': header }
  })

t.test('the cookie comes before the header', async (t) => {
  t.same(preference('fr', 'de,en;q=0.5').languages, ['fr', 'de', 'en'])
  t.same(preference('en', 'de,en;q=0.5').languages, ['en', 'de'], 'each once')
  t.same(preference(null, 'de').languages, ['de'])
  t.same(preference('fr', undefined).languages, ['fr'])
  t.same(preference(null, undefined).languages, [])
})

t.test('a cookie that is not a language tag sets no preference', async (t) => {
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
    t.same(preference(cookie, 'nl').languages, ['nl'], JSON.stringify(cookie.slice(0, 40)))
})

t.test('a cookie and a header are not taken for each other', async (t) => {
  t.same(preference('de', 'fr').languages, ['de', 'fr'])
  t.same(preference('fr', 'de').languages, ['fr', 'de'])
  t.same(preference(null, ['de', 'fr']).languages, [], 'a repeated header is ignored')
})

t.test('equal preferences are one object, and the cache is bounded', async (t) => {
  const first = preference(null, 'de-AT')
  t.equal(preference(null, 'de-AT'), first)
  t.ok(Object.isFrozen(first) && Object.isFrozen(first.languages))
  for (let number = 0; number < 200; number++) preference(null, `de;q=0.${number}`)
  t.not(preference(null, 'de-AT'), first)
})
