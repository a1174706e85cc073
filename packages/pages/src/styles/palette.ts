import type { Theme } from '@postern/core'
import { type Color, contrast, mix, parseColor, toHex } from './color.ts'

export type Scheme = 'dark' | 'light'

type Neutral =
  | 'page'
  | 'card'
  | 'text'
  | 'muted'
  | 'line'
  | 'border'
  | 'field'
  | 'hover'
  | 'pressed'
  | 'problem'
  | 'problem-bg'
  | 'problem-line'
  | 'shadow'

type Brand =
  | 'brand-color'
  | 'brand-edge'
  | 'brand-hover'
  | 'brand-pressed'
  | 'brand-text'
  | 'brand-bg'
  | 'button-text-color'

/** The name of a color: its CSS variable without dashes. */
export type Shade = Neutral | Brand

/** The colors of one scheme. */
export type Palette = { readonly [S in Shade]: string }

/** The colors that no theme changes. */
export const neutrals: { readonly [S in Scheme]: { readonly [N in Neutral]: string } } = {
  light: {
    page: '#f3f4f7',
    card: '#ffffff',
    text: '#14171c',
    muted: '#545c6a',
    line: '#e0e3e9',
    border: '#838b99',
    field: '#ffffff',
    hover: '#f5f6f8',
    pressed: '#eaecf0',
    problem: '#9d1620',
    'problem-bg': '#fdf1f1',
    'problem-line': '#f2c4c6',
    shadow: '#14171c14'
  },
  dark: {
    page: '#0c0e12',
    card: '#16191f',
    text: '#eceef2',
    muted: '#a5adba',
    line: '#2b3039',
    border: '#6b7482',
    field: '#0f1216',
    hover: '#1f232b',
    pressed: '#282d37',
    problem: '#ffb3b0',
    'problem-bg': '#2b1618',
    'problem-line': '#5d2b2e',
    shadow: '#00000066'
  }
}

const white: Color = { red: 255, green: 255, blue: 255, alpha: 1 }
const black: Color = { red: 0, green: 0, blue: 0, alpha: 1 }
const defaultBrand: Color = { red: 52, green: 109, blue: 241, alpha: 1 }

/** The required contrast of text, and of the edge of a control (WCAG 2.2, 1.4.3 and 1.4.11). */
const textContrast = 4.5
export const edgeContrast = 3
/** The minimum contrast of a surface with the card; its edge adds the rest, so brand colors change little. */
const surfaceContrast = 1.25

/** A brand color is measured against the page or the card, whichever has less contrast. */
const grounds: { readonly [S in Scheme]: Neutral } = { light: 'page', dark: 'card' }

/** @returns The colors of a scheme, including the brand's, legible whatever was configured. */
export function paletteFor({ brandColor, buttonText }: Theme, scheme: Scheme): Palette {
  const card = parseColor(neutrals[scheme].card) ?? white
  const environment = parseColor(neutrals[scheme][grounds[scheme]]) ?? white
  const brand = parseColor(brandColor) ?? defaultBrand
  const background = distinct(mix(brand, card, brand.alpha), card, surfaceContrast)
  const text = legibleOn(background, parseColor(buttonText))
  // A hovered or pressed button changes away from its text color.
  const away = contrast(background, black) < contrast(text, black) ? black : white
  return {
    ...neutrals[scheme],
    'brand-color': toHex(background),
    'brand-edge': toHex(distinct(background, environment, edgeContrast)),
    'brand-hover': toHex(mix(background, away, 0.88)),
    'brand-pressed': toHex(mix(background, away, 0.76)),
    'brand-text': toHex(distinct(background, environment, textContrast)),
    'brand-bg': toHex(mix(background, card, 0.1)),
    'button-text-color': toHex(text)
  }
}

/** @returns The text color for a surface: the configured one if it is legible, else white or black. */
export function legibleOn(background: Color, requested: Color | null): Color {
  const isLegible = requested !== null && requested.alpha === 1 && contrast(requested, background) >= textContrast
  return isLegible ? requested : opposite(background)
}

/** White if it is legible, else black; one of them always is. */
function opposite(color: Color): Color {
  return contrast(white, color) >= textContrast || contrast(white, color) >= contrast(black, color) ? white : black
}

/** Changes a color in small steps until its contrast with the background suffices. */
export function distinct(color: Color, background: Color, ratio: number): Color {
  const end = opposite(background)
  for (let part = 1; part > 0; part -= 0.04) {
    const candidate = mix(color, end, part)
    if (contrast(candidate, background) >= ratio) return candidate
  }
  return end
}
