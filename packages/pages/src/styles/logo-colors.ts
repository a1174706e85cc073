import { type Color, contrast, parseColor, toHex } from './color.ts'
import { distinct, edgeContrast, legibleOn, neutrals, type Scheme } from './palette.ts'

const grey: Color = { red: 84, green: 92, blue: 106, alpha: 1 }

/** Below this contrast, yellow would have to become brown to be visible. */
const paleContrast = 1.4

/** The colors of a logo: its shape, and the letter on it. */
export interface LogoColors {
  readonly shape: string
  readonly letter: string
}

/**
 * Returns colors that are visible on a button, even while it is pressed, in both schemes.
 *
 * @param color - The brand's color; gray if it is invalid.
 * @param letter - The brand's text color, if it is legible.
 */
export function logoColors(color: string, letter = ''): LogoColors {
  const brand = parseColor(color) ?? grey
  const [light, dark] = [visible(brand, 'light'), visible(brand, 'dark')]
  const on = (shape: Color): string => toHex(legibleOn(shape, parseColor(letter)))
  return { shape: either(toHex(light), toHex(dark)), letter: either(on(light), on(dark)) }
}

/** Browsers without `light-dark()` use the text color. */
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

/** Black, white and colors as pale as the page become the text color; other colors are darkened or lightened. */
function isColourless({ red, green, blue }: Color): boolean {
  return Math.max(red, green, blue) - Math.min(red, green, blue) < 24
}
