import t from 'tap'
import { languages } from '../../src/index.ts'
import { loadCatalogue } from '../../src/texts/catalogue.ts'

type Options = Parameters<typeof loadCatalogue>[0]

async function chosen(options: Options, ...wished: readonly string[]): Promise<string> {
  return (await loadCatalogue(options)).for({ languages: wished }).lang
}

const cases: readonly (readonly [wished: readonly string[], chosen: string])[] = [
  [[], 'en'],
  [['de'], 'de'],
  [['de-AT'], 'de'],
  [['pt-BR'], 'pt'],
  [['zh-CN'], 'zh-Hans'],
  [['zh-Hant-TW'], 'zh-Hans'],
  [['sv', 'nl'], 'nl'],
  [['sv', 'xx', 'da'], 'en'],
  [['fr-CA', 'en'], 'fr'],
  [['ar-EG'], 'ar'],
  [['constructor', '__proto__', 'he-IL'], 'he']
]

for (const [wished, language] of cases) {
  t.test(`who reads ${wished.join(', ') || 'anything'} is spoken to in ${language}`, async (t) => {
    t.equal(await chosen({}, ...wished), language)
  })
}

t.test('the first language is for those who read none of them', async (t) => {
  t.equal(await chosen({ languages: ['nl', 'en'] }, 'sv'), 'nl')
  t.equal(await chosen({ languages: ['nl', 'en'] }, 'en-GB'), 'en')
  t.equal(await chosen({ languages: ['fr'] }, 'en'), 'fr')
  t.equal((await loadCatalogue({ languages: ['it', 'en'] })).for(undefined).lang, 'it')
})

t.test('a language of the application is made of what it changes, over its language, else over English', async (t) => {
  const texts = {
    'pt-PT': { signIn: { heading: 'Iniciar sessão' } },
    sv: { lang: 'sv-SE', signIn: { heading: 'Logga in' } },
    fr: { signIn: { heading: 'Entrez' } }
  }
  const catalogue = await loadCatalogue({ texts })
  const portugal = catalogue.for({ languages: ['pt-PT'] })
  t.match(portugal, { lang: 'pt-PT', signIn: { heading: 'Iniciar sessão', or: 'ou' } })
  t.match(catalogue.for({ languages: ['pt-BR'] }), { lang: 'pt', signIn: { heading: 'Entrar' } })
  t.match(catalogue.for({ languages: ['sv'] }), { lang: 'sv-SE', signIn: { heading: 'Logga in', or: 'or' } })
  t.match(catalogue.for({ languages: ['fr'] }), { signIn: { heading: 'Entrez', or: 'ou' } })
  t.match(catalogue.for({ languages: ['en'] }), { signIn: { heading: 'Sign in' } })
})

t.test('of a language that is there for another region only, that is nearer than another language', async (t) => {
  const options: Options = { languages: ['en', 'pt-BR'], texts: { 'pt-BR': {} } }
  t.equal(await chosen(options, 'pt-PT', 'en'), 'pt-BR')
  t.equal(await chosen(options, 'pt'), 'pt-BR')
})

t.test('the longest part of a tag that is there counts', async (t) => {
  const options: Options = { languages: ['pt-PT', 'zh', 'zh-Hant', 'pt'], texts: { 'zh-Hant': {}, 'pt-PT': {} } }
  t.equal(await chosen(options, 'zh-Hant-TW'), 'zh-Hant')
  t.equal(await chosen(options, 'zh-TW'), 'zh-Hans')
  t.equal(await chosen(options, 'pt-BR'), 'pt')
})

t.test('what was chosen for a wish is kept', async (t) => {
  const catalogue = await loadCatalogue({})
  const wish = { languages: ['de'] }
  t.equal(catalogue.for(wish), catalogue.for(wish))
  t.equal(catalogue.for(wish), catalogue.for({ languages: ['de-CH'] }), 'one object for each language')
})

t.test('loaded lazily, a language is there once it was wished for', async (t) => {
  const catalogue = await loadCatalogue({ languages: ['nl', 'de', 'fr'], lazy: true })
  const wish = { languages: ['de-CH'] }
  t.equal(catalogue.for(wish).lang, 'nl', 'the first, until then')
  t.equal(catalogue.prepare({ languages: ['nl'] }), null)
  t.equal(catalogue.prepare({ languages: ['sv'] }), null)
  const loading = catalogue.prepare(wish)
  t.ok(loading)
  t.equal(catalogue.prepare({ languages: ['de'] }), loading, 'once for all who ask meanwhile')
  await loading
  t.equal(catalogue.for(wish).lang, 'de')
  t.equal(catalogue.prepare(wish), null)
  t.equal(catalogue.for({ languages: ['fr'] }).lang, 'nl')
})

t.test('loaded at once, nothing is left to prepare', async (t) => {
  const catalogue = await loadCatalogue({})
  for (const language of languages) t.equal(catalogue.prepare({ languages: [language] }), null)
})
