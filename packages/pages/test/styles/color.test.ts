import { createPostern } from '@postern/core'
import t from 'tap'
import { contrast, parseColor, toHex } from '../../src/styles/color.ts'
import { namedColors } from '../../src/styles/named-colors.ts'

const colors: readonly [text: string, hex: string][] = [
  ['#0a7', '#00aa77'],
  ['#0A7F', '#00aa77'],
  ['#346df1', '#346df1'],
  ['#346df1ff', '#346df1'],
  ['rebeccapurple', '#663399'],
  ['  Red ', '#ff0000'],
  ['rgb(1, 2, 3)', '#010203'],
  ['rgb(1 2 3)', '#010203'],
  ['rgb(1 2 3 / 50%)', '#010203'],
  ['rgba(255,0,0,.5)', '#ff0000'],
  ['rgb(100% 0% 50%)', '#ff0080'],
  ['rgb(999 -5 0)', '#ff0000'],
  ['hsl(0 100% 50%)', '#ff0000'],
  ['hsl(120deg, 100%, 25%)', '#008000'],
  ['hsla(240, 100%, 50%, 1)', '#0000ff'],
  ['hsl(-120 100% 50%)', '#0000ff'],
  ['hsl(210 50% 40%)', '#336699']
]

for (const [text, hex] of colors) {
  t.test(`${text} is a color`, async (t) => {
    const color = parseColor(text)
    t.equal(color && toHex(color), hex)
  })
}

t.test('transparency is read', async (t) => {
  for (const text of ['rgb(0 0 0 / 50%)', 'rgba(0,0,0,.5)', 'hsl(0 0% 0% / .5)']) t.equal(parseColor(text)?.alpha, 0.5)
  t.equal(parseColor('#00000080')?.alpha.toFixed(2), '0.50')
})

const others: readonly string[] = [
  '',
  '#',
  '#12',
  '#12345',
  '#gggggg',
  'red;} body{display:none',
  'red}body{background:url(https://evil.example)}',
  'url(https://evil.example/x)',
  'expression(alert(1))',
  'var(--x)',
  'currentcolor',
  'transparent',
  'inherit',
  'constructor',
  '__proto__',
  'rgb(1,2)',
  'rgb(1,2,3',
  'rgb(1,2,3);color:red',
  'rgb(1deg 2 3)',
  'hsl(10% 100% 50%)',
  'rgb(1e5 2 3)',
  'color-mix(in srgb, red, blue)',
  '#fff/**/',
  '#fff\n}',
  `#${'f'.repeat(100_000)}`,
  `rgb(${' '.repeat(100_000)}`
]

for (const text of others) {
  t.test(`${JSON.stringify(text.slice(0, 60))} is not a color`, async (t) => {
    t.equal(parseColor(text), null)
  })
}

t.test('contrast is that of WCAG', async (t) => {
  const of = (one: string, two: string): string => {
    const [a, b] = [parseColor(one), parseColor(two)]
    return a && b ? contrast(a, b).toFixed(2) : ''
  }
  t.equal(of('black', 'white'), '21.00')
  t.equal(of('white', '#777777'), '4.48')
  t.equal(of('#767676', 'white'), '4.54')
  t.equal(of('red', 'red'), '1.00')
})

t.test('the core warns of no color that is read here', async (t) => {
  const warnings: unknown[] = []
  const logger = { warn: (_code: string, warning: unknown) => void warnings.push(warning) }
  const options = { url: 'https://app.test', secret: 's'.repeat(32), providers: [], logger }
  for (const brandColor of [...namedColors.keys(), ...colors.map(([text]) => text)])
    createPostern({ ...options, theme: { brandColor } }, {})
  t.same(warnings, [])
  createPostern({ ...options, theme: { brandColor: 'bleu' } }, {})
  t.match(warnings, [/theme\.brandColor: expected a color/])
})
