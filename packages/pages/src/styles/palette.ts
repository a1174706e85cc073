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

/** A colour's name: that of its CSS variable, without the dashes. */
export type Shade = Neutral | Brand

/** The colours of one scheme. */
export type Palette = { readonly [S in Shade]: string }

/** The colours that no theme changes. */
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

/** Contrast that text needs, and that the edge of a control needs (WCAG 2.2, 1.4.3 and 1.4.11). */
const textContrast = 4.5
export const edgeContrast = 3
/** What a surface needs to be seen at all beside the card; its edge does the rest, so brands keep their colour. */
const surfaceContrast = 1.25

/** A brand's colour is measured against the one of page and card that it stands out from less. */
const grounds: { readonly [S in Scheme]: Neutral } = { light: 'page', dark: 'card' }

/** @returns The colours of a scheme, with those of the brand, legible whatever was configured. */
export function paletteFor({ brandColor, buttonText }: Theme, scheme: Scheme): Palette {
  const card = parseColor(neutrals[scheme].card) ?? white
  const ground = parseColor(neutrals[scheme][grounds[scheme]]) ?? white
  const brand = parseColor(brandColor) ?? defaultBrand
  const background = distinct(mix(brand, card, brand.alpha), card, surfaceContrast)
  const text = legibleOn(background, parseColor(buttonText))
  // A hovered or pressed button moves away from its text, never towards it.
  const away = contrast(background, black) < contrast(text, black) ? black : white
  return {
    ...neutrals[scheme],
    'brand-color': toHex(background),
    'brand-edge': toHex(distinct(background, ground, edgeContrast)),
    'brand-hover': toHex(mix(background, away, 0.88)),
    'brand-pressed': toHex(mix(background, away, 0.76)),
    'brand-text': toHex(distinct(background, ground, textContrast)),
    'brand-bg': toHex(mix(background, card, 0.1)),
    'button-text-color': toHex(text)
  }
}

/** @returns The text color for a surface: the one asked for where it can be read, else white or black. */
export function legibleOn(background: Color, wished: Color | null): Color {
  const isLegible = wished !== null && wished.alpha === 1 && contrast(wished, background) >= textContrast
  return isLegible ? wished : opposite(background)
}

/** White where it can be read, else black; one of them always can. */
function opposite(color: Color): Color {
  return contrast(white, color) >= textContrast || contrast(white, color) >= contrast(black, color) ? white : black
}

/** Moves a color away from its background, in small steps, until it stands out enough. */
export function distinct(color: Color, background: Color, ratio: number): Color {
  const end = opposite(background)
  for (let part = 1; part > 0; part -= 0.04) {
    const candidate = mix(color, end, part)
    if (contrast(candidate, background) >= ratio) return candidate
  }
  return end
}
