import t from 'tap'
import { languages, loadTexts, type TimeUnit } from '../../src/index.ts'

const units: readonly TimeUnit[] = ['second', 'minute', 'hour', 'day']

type Said = readonly (readonly [count: number, unit: TimeUnit, words: string])[]

const expected: Readonly<Record<(typeof languages)[number], Said>> = {
  en: [
    [1, 'minute', '1 minute'],
    [2, 'hour', '2 hours']
  ],
  de: [
    [1, 'hour', '1 Stunde'],
    [2, 'day', '2 Tage']
  ],
  'de-informal': [
    [1, 'hour', '1 Stunde'],
    [2, 'day', '2 Tage']
  ],
  fr: [
    [0, 'second', '0 seconde'],
    [1, 'day', '1 jour'],
    [2, 'day', '2 jours']
  ],
  es: [
    [1, 'day', '1 día'],
    [90, 'minute', '90 minutos']
  ],
  pt: [
    [1, 'hour', '1 hora'],
    [2, 'day', '2 dias']
  ],
  it: [
    [1, 'hour', '1 ora'],
    [2, 'day', '2 giorni']
  ],
  nl: [
    [1, 'day', '1 dag'],
    [3, 'hour', '3 uur']
  ],
  pl: [
    [1, 'minute', '1 minutę'],
    [2, 'minute', '2 minuty'],
    [5, 'minute', '5 minut'],
    [12, 'minute', '12 minut'],
    [22, 'minute', '22 minuty'],
    [1, 'day', '1 dzień'],
    [4, 'day', '4 dni']
  ],
  tr: [
    [1, 'minute', '1 dakika'],
    [5, 'day', '5 gün']
  ],
  ar: [
    [1, 'minute', 'دقيقة واحدة'],
    [2, 'minute', 'دقيقتين'],
    [3, 'minute', '3 دقائق'],
    [10, 'minute', '10 دقائق'],
    [11, 'day', '11 يومًا'],
    [100, 'day', '100 يوم'],
    [103, 'day', '103 أيام']
  ],
  he: [
    [1, 'hour', 'שעה אחת'],
    [2, 'hour', 'שעתיים'],
    [24, 'hour', '24 שעות']
  ],
  ja: [[10, 'minute', '10分']],
  zh: [[10, 'minute', '10 分钟']],
  ko: [[24, 'hour', '24시간']],
  hi: [
    [1, 'hour', '1 घंटे'],
    [5, 'minute', '5 मिनट']
  ]
}

for (const language of languages) {
  t.test(`${language}: spans of time`, async (t) => {
    const { duration } = await loadTexts(language)
    for (const [count, unit, words] of expected[language]) t.equal(duration(count, unit), words)
  })

  t.test(`${language}: every plural that a count may ask for is among them, and in every unit`, async (t) => {
    const rules = new Intl.PluralRules(language)
    const reachable = new Set(Array.from({ length: 400 }, (_, count) => rules.select(count + 1)))
    const samples = new Map(expected[language].map(([count]) => [rules.select(count), count]))
    t.same(
      [...reachable].filter((category) => !samples.has(category)),
      []
    )
    const { duration } = await loadTexts(language)
    for (const count of samples.values()) {
      const words = units.map((unit) => duration(count, unit))
      t.equal(new Set(words).size, units.length, words.join())
      t.ok(count < 3 || words.every((text) => text.includes(String(count))), words.join())
    }
  })
}
