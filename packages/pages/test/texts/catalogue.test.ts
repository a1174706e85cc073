import t from 'tap'
import { languages } from '../../src/index.ts'
import { loadCatalogue } from '../../src/texts/catalogue.ts'
import { inLanguage } from '../../src/view.ts'

type Options = Parameters<typeof loadCatalogue>[0]

async function chosen(options: Options, ...requested: readonly string[]): Promise<string> {
  return (await loadCatalogue(options)).for({ languages: requested }).lang
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

for (const [requested, language] of cases) {
  t.test(`who reads ${requested.join(', ') || 'anything'} is spoken to in ${language}`, async (t) => {
    t.equal(await chosen({}, ...requested), language)
  })
}

t.test('the first language is for those who read none of them', async (t) => {
  t.equal(await chosen({ languages: ['nl', 'en'] }, 'sv'), 'nl')
  t.equal(await chosen({ languages: ['nl', 'en'] }, 'en-GB'), 'en')
  t.equal(await chosen({ languages: ['fr'] }, 'en'), 'fr')
  t.equal((await loadCatalogue({ languages: ['it', 'en'] })).for(undefined).lang, 'it')
})

t.test('a custom language is its overrides on top of its built-in language, or English', async (t) => {
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

t.test('the language chosen for a preference is cached', async (t) => {
  const catalogue = await loadCatalogue({})
  const preference = { languages: ['de'] }
  t.equal(catalogue.for(preference), catalogue.for(preference))
  t.equal(catalogue.for(preference), catalogue.for({ languages: ['de-CH'] }), 'one object for each language')
})

t.test('a lazily loaded language is available once it was requested', async (t) => {
  const catalogue = await loadCatalogue({ languages: ['nl', 'de', 'fr'], lazy: true })
  const preference = { languages: ['de-CH'] }
  t.equal(catalogue.for(preference).lang, 'nl', 'the first, until then')
  t.equal(catalogue.prepare({ languages: ['nl'] }), null)
  t.equal(catalogue.prepare({ languages: ['sv'] }), null)
  const loading = catalogue.prepare(preference)
  t.ok(loading)
  t.equal(catalogue.prepare({ languages: ['de'] }), loading, 'once for all who ask meanwhile')
  await loading
  t.equal(catalogue.for(preference).lang, 'de')
  t.equal(catalogue.prepare(preference), null)
  t.equal(catalogue.for({ languages: ['fr'] }).lang, 'nl')
})

t.test('loaded at once, nothing is left to prepare', async (t) => {
  const catalogue = await loadCatalogue({})
  for (const language of languages) t.equal(catalogue.prepare({ languages: [language] }), null)
})

t.test('German with du is for applications that list it; its tag is that of German', async (t) => {
  const german = { languages: ['de-AT', 'de'] }
  const [every, informal] = await Promise.all([loadCatalogue({}), loadCatalogue({ languages: ['en', 'de-informal'] })])
  t.equal(every.for(german).confirm.heading, 'Sind Sie das?', 'with both, a browser that asks for German gets Sie')
  t.equal(every.for({ languages: ['de-informal'] }).confirm.heading, 'Bist du das?', 'by the cookie of the language')
  const texts = informal.for(german)
  t.match(texts, { lang: 'de', confirm: { heading: 'Bist du das?' } })
  const feature = { en: 'your', de: 'Ihr', 'de-informal': 'dein' }
  t.equal(inLanguage(feature, texts), 'dein')
  t.equal(inLanguage({ en: 'your', de: 'Ihr' }, texts), 'Ihr', 'a feature that has only German')
})
