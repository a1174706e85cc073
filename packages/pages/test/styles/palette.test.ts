import t from 'tap'
import { type Color, contrast, parseColor, toHex } from '../../src/styles/color.ts'
import { type Palette, paletteFor, type Shade } from '../../src/styles/palette.ts'
import { plainTheme } from '../samples.ts'

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function* numbers(seed: number): Generator<number, never> {
  let state = seed
  for (;;) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const draw = numbers(20_260_131)
const next = (): number => draw.next().value
const color = (): Color => ({ red: next() * 255, green: next() * 255, blue: next() * 255, alpha: 1 })
/** Any color, one in three half there. */
const spelled = (): string => toHex(color()) + (next() < 0.33 ? toHex({ ...color() }).slice(1, 3) : '')

function between(palette: Palette, one: Shade, two: Shade): number {
  const [a, b] = [parseColor(palette[one]), parseColor(palette[two])]
  return a && b ? contrast(a, b) : 0
}

const readable: readonly (readonly [Shade, Shade])[] = [
  ['button-text-color', 'brand-color'],
  ['button-text-color', 'brand-hover'],
  ['button-text-color', 'brand-pressed'],
  ['brand-text', 'card']
]
const seen: readonly (readonly [Shade, Shade])[] = [
  ['brand-edge', 'card'],
  ['brand-edge', 'page'],
  ['brand-text', 'page'],
  ['brand-text', 'brand-bg']
]

for (const scheme of ['light', 'dark'] as const) {
  t.test(`${scheme}: for any brand color, its button is visible and legible`, async (t) => {
    let worst = { text: 21, edge: 21 }
    for (let run = 0; run < 5000; run++) {
      const theme = { ...plainTheme, brandColor: spelled(), buttonText: next() < 0.5 ? '' : spelled() }
      const palette = paletteFor(theme, scheme)
      const text = Math.min(...readable.map(([one, two]) => between(palette, one, two)))
      const edge = Math.min(...seen.map(([one, two]) => between(palette, one, two)))
      if (text < 4.5 || edge < 3) t.fail(`${theme.brandColor} with ${theme.buttonText}`, { text, edge, palette })
      worst = { text: Math.min(worst.text, text), edge: Math.min(worst.edge, edge) }
    }
    t.ok(worst.text >= 4.5, `text: ${worst.text.toFixed(2)}`)
    t.ok(worst.edge >= 3, `edge: ${worst.edge.toFixed(2)}`)
  })
}
