import { type Color, contrast, parseColor, toHex } from './color.ts'
import { distinct, edgeContrast, legibleOn, neutrals, type Scheme } from './palette.ts'

const grey: Color = { red: 84, green: 92, blue: 106, alpha: 1 }

/** Below this a yellow would have to become brown to be seen. */
const paleContrast = 1.4

/** The colours of a mark: its shape, and what stands on it. */
export interface MarkColors {
  readonly shape: string
  readonly letter: string
}

/**
 * Colours that can be seen on a button, also while it is pressed, in either scheme.
 *
 * @param color - Of the brand; grey where it is none.
 * @param letter - What the brand writes with, where it can be read.
 */
export function markColors(color: string, letter = ''): MarkColors {
  const brand = parseColor(color) ?? grey
  const [light, dark] = [visible(brand, 'light'), visible(brand, 'dark')]
  const on = (shape: Color): string => toHex(legibleOn(shape, parseColor(letter)))
  return { shape: either(toHex(light), toHex(dark)), letter: either(on(light), on(dark)) }
}

/** Browsers without `light-dark()` draw in the colour of the text. */
function either(light: string, dark: string): string {
  return light === dark ? light : `light-dark(${light},${dark})`
}

function visible(brand: Color, scheme: Scheme): Color {
  const { pressed, text } = neutrals[scheme]
  const [surface, ink] = [parseColor(pressed) ?? grey, parseColor(text) ?? grey]
  if (contrast(brand, surface) >= edgeContrast) return brand
  const isTurned = isColourless(brand) || contrast(brand, surface) < paleContrast
  return isTurned && contrast(ink, surface) >= edgeContrast ? ink : distinct(brand, surface, edgeContrast)
}

/** Black, white and what is as pale as the page take the colour of text; any other colour is made darker or lighter. */
function isColourless({ red, green, blue }: Color): boolean {
  return Math.max(red, green, blue) - Math.min(red, green, blue) < 24
}
