import t from 'tap'
import { contrast, parseColor } from '../../src/styles/color.ts'
import { type Palette, paletteFor, type Shade } from '../../src/styles/palette.ts'
import { stylesheetFor } from '../../src/styles/stylesheet.ts'
import { plainTheme } from '../samples.ts'

const css = (theme: Partial<typeof plainTheme> = {}): string => stylesheetFor({ ...plainTheme, ...theme }).asset.body

/** Every `--name:value` of the sheet. */
const variables = (sheet: string): readonly string[] => Array.from(sheet.matchAll(/--[\w-]+:[^;]*;/g), ([pair]) => pair)

t.test('it contains both schemes if the browser chooses, else the configured one', async (t) => {
  t.match(css(), /^:root\{color-scheme:light;.*@media \(prefers-color-scheme:dark\)\{:root\{color-scheme:dark;/)
  t.match(css({ colorScheme: 'light' }), 'color-scheme:light')
  t.notMatch(css({ colorScheme: 'light' }), /prefers-color-scheme|color-scheme:dark/)
  t.match(css({ colorScheme: 'dark' }), 'color-scheme:dark')
  t.notMatch(css({ colorScheme: 'dark' }), /prefers-color-scheme|color-scheme:light/)
})

t.test('it loads nothing, and knows of keyboards, still pictures and small screens', async (t) => {
  t.notMatch(css(), /url\(|@import|@font-face|https?:/)
  for (const part of [':focus-visible', 'prefers-reduced-motion:reduce', 'forced-colors:active', 'max-width:30rem']) {
    t.match(css(), part)
  }
})

t.test('its braces and quotes are in balance', async (t) => {
  const count = (text: string): number => css().split(text).length - 1
  t.equal(count('{'), count('}'))
  t.equal(count('"') % 2, 0)
  t.notMatch(css(), '<')
})

t.test('the colors of the theme are in it, under the names of next-auth v4', async (t) => {
  const sheet = css({ colorScheme: 'light', brandColor: '#0057b8', buttonText: '#ffd700' })
  t.match(sheet, '--brand-color:#0057b8;')
  t.match(sheet, '--button-text-color:#ffd700;')
})

const injections: readonly string[] = [
  'red;} body{display:none',
  'red;}body{background:url(https://evil.example/?x)',
  '#fff;--x:1',
  '#fff}*{color:red',
  '</style><script>alert(1)</script>',
  'red/*',
  '\\72 ed;}',
  'url(javascript:alert(1))'
]

for (const injection of injections) {
  t.test(`a color cannot break out of the style sheet: ${injection}`, async (t) => {
    t.equal(css({ brandColor: injection }), css())
    t.equal(css({ buttonText: injection }), css())
  })
}

t.test('the radius and the font of the theme are in it', async (t) => {
  const sheet = css({ radius: '4px', font: '"Source Sans 3", Grüße, sans-serif' })
  t.match(sheet, '--radius:4px;')
  t.match(sheet, '--font:"Source Sans 3", Grüße, sans-serif;')
  t.match(css({ radius: '0' }), '--radius:0px;', 'a number with a unit, since it is reckoned with')
  t.match(css(), '--radius:.625rem;')
  t.match(css(), '--font:system-ui,')
})

const noShapes: readonly string[] = [
  ...injections,
  '1e9px',
  '99999px',
  '-4px',
  'calc(1px)',
  'var(--x)',
  'Arial;}',
  'a{b',
  '"Arial',
  '"Ar\\ial"',
  'url(x)',
  'x'.repeat(301),
  'Arial\n}'
]

for (const text of noShapes) {
  t.test(`a font or radius cannot break out of the style sheet: ${JSON.stringify(text.slice(0, 40))}`, async (t) => {
    t.equal(css({ radius: text }), css())
    t.equal(css({ font: text }), css())
  })
}

t.test('every color is in hexadecimal', async (t) => {
  const isColor = (pair: string): boolean => !/^--(?:font|radius[\w-]*):/.test(pair)
  const colors = variables(css({ brandColor: 'hsl(20 90% 50% / 40%)' })).filter(isColor)
  t.ok(colors.length > 30)
  for (const pair of colors) t.match(pair, /^--[\w-]+:#[\da-f]{6,8};$/)
})

const brands = [
  '',
  'white',
  'black',
  '#ffd400',
  '#fff8dc',
  '#1da1f2',
  '#777',
  '#0a0a0a',
  '#16191f',
  'red',
  'rgb(0 0 255 / 10%)',
  'lime'
]

/** The contrast of two shades of a palette. */
function between(palette: Palette, one: Shade, two: Shade): number {
  const [a, b] = [parseColor(palette[one]), parseColor(palette[two])]
  return a && b ? contrast(a, b) : 0
}

for (const scheme of ['light', 'dark'] as const) {
  for (const brandColor of brands) {
    for (const buttonText of ['', '#fff', '#000', '#888', '#767676']) {
      t.test(`${scheme}: brand "${brandColor}" with text "${buttonText}" can be read`, async (t) => {
        const palette = paletteFor({ ...plainTheme, brandColor, buttonText }, scheme)
        for (const shade of ['brand-color', 'brand-hover', 'brand-pressed'] as const) {
          t.ok(between(palette, 'button-text-color', shade) >= 4.5, `text on ${shade}`)
        }
        t.ok(between(palette, 'brand-edge', 'card') >= 3, 'the edge of the button')
        t.ok(between(palette, 'brand-text', 'card') >= 4.5, 'links and focus rings')
      })
    }
  }

  t.test(`${scheme}: text can be read, and fields be seen`, async (t) => {
    const palette = paletteFor(plainTheme, scheme)
    for (const shade of ['text', 'muted', 'problem'] as const) t.ok(between(palette, shade, 'card') >= 4.5, shade)
    t.ok(between(palette, 'problem', 'problem-bg') >= 4.5)
    t.ok(between(palette, 'muted', 'hover') >= 4.5)
    t.ok(between(palette, 'muted', 'field') >= 4.5)
    t.ok(between(palette, 'border', 'card') >= 3, 'the edge of a field')
  })
}

t.test('a brand color that can be seen is left as it is', async (t) => {
  for (const brandColor of ['#346df1', '#ffd400', '#0a7755']) {
    t.equal(paletteFor({ ...plainTheme, brandColor }, 'light')['brand-color'], brandColor)
  }
})
