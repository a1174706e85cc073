import t from 'tap'
import { createByLanguage } from '../../src/model/by-language.ts'

t.test('a value is created when its language is first read, and then kept', async (t) => {
  const created: string[] = []
  const values = createByLanguage(['de', 'fr'], (language) => {
    created.push(language)
    return { language }
  })
  t.same(created, [])
  t.same(Object.keys(values), ['de', 'fr', 'en'], 'English is always there')
  t.same(created, [])
  t.equal(values.fr, values.fr)
  t.same(created, ['fr'])
  t.same({ ...values }, { de: { language: 'de' }, fr: { language: 'fr' }, en: { language: 'en' } })
  t.same(created, ['fr', 'de', 'en'])
})

t.test('values can be frozen before they are read', async (t) => {
  const values = Object.freeze(createByLanguage(['de'], (language) => language.toUpperCase()))
  t.same({ ...values }, { de: 'DE', en: 'EN' })
})

t.test('only the languages are values', async (t) => {
  const values: Readonly<Record<string, string>> = createByLanguage(['en'], () => 'text')
  t.equal(values['es'], undefined)
})
