import type { Theme } from '@postern/core'
import type { CSSProperties } from 'react'
import { type Palette, paletteFor, type Shade } from '../styles/palette.ts'
import { getScheme } from '../styles/scheme.ts'
import { getFont, radiusInPixels } from '../styles/shape.ts'

const parts = ['page', 'card', 'logo', 'heading', 'text', 'muted', 'button', 'label', 'link', 'code', 'half'] as const
type Part = (typeof parts)[number]

/** The style of each part of the mail; mail clients require styles on the elements. */
export type MailStyles = { readonly [P in Part]: CSSProperties }

const mono = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace'
const plain: CSSProperties = { margin: 0, fontSize: '16px', lineHeight: '24px' }
const box: CSSProperties = { borderWidth: '1px', borderStyle: 'solid' }

const fonts: Partial<Record<Part, 'sans' | 'mono'>> = {
  heading: 'sans',
  text: 'sans',
  muted: 'sans',
  label: 'sans',
  code: 'mono'
}

const shapes: MailStyles = {
  page: { margin: 0, padding: '32px 12px' },
  card: { ...box, padding: '28px' },
  logo: { display: 'block', width: 'auto', maxWidth: '100%', border: 0, margin: '0 0 16px' },
  heading: { ...plain, fontSize: '22px', lineHeight: '28px', fontWeight: 700, wordBreak: 'break-word' },
  text: { ...plain, padding: '12px 0 0', wordBreak: 'break-word' },
  muted: { ...plain, padding: '20px 0 0', fontSize: '14px', lineHeight: '21px' },
  button: { ...box, textAlign: 'center' },
  label: { ...plain, display: 'block', padding: '13px 28px', fontWeight: 600, textDecoration: 'none' },
  link: { wordBreak: 'break-all' },
  code: {
    ...plain,
    ...box,
    padding: '16px 4px',
    fontSize: '28px',
    lineHeight: '36px',
    fontWeight: 700,
    letterSpacing: '4px',
    textAlign: 'center'
  },
  half: { padding: '0 6px', whiteSpace: 'nowrap' }
}

const colors: {
  readonly [P in Part]: { readonly color?: Shade; readonly backgroundColor?: Shade; readonly borderColor?: Shade }
} = {
  page: { backgroundColor: 'page' },
  card: { backgroundColor: 'card', borderColor: 'line' },
  logo: {},
  heading: { color: 'text' },
  text: { color: 'text' },
  muted: { color: 'muted' },
  button: { backgroundColor: 'brand-color', borderColor: 'brand-edge' },
  label: { color: 'button-text-color' },
  link: { color: 'brand-text' },
  code: { color: 'text', backgroundColor: 'hover', borderColor: 'line' },
  half: {}
}

/** @returns The styles for mail clients without support for color schemes. */
export function mailStyles(theme: Theme): MailStyles {
  const palette = paletteFor(theme, getScheme(theme) === 'dark' ? 'dark' : 'light')
  const families = { sans: getFont(theme), mono }
  const radius = radiusInPixels(theme)
  const radii: { readonly [P in Part]?: number } = {
    card: Math.min(radius * 1.6, 24),
    button: radius,
    code: Math.min(radius, 16)
  }
  const style = (part: Part): CSSProperties => ({
    ...shapes[part],
    ...(fonts[part] && { fontFamily: families[fonts[part]] }),
    ...(part in radii && { borderRadius: `${radii[part]}px` }),
    ...colored(part, palette)
  })
  return {
    page: style('page'),
    card: style('card'),
    logo: style('logo'),
    heading: style('heading'),
    text: style('text'),
    muted: style('muted'),
    button: style('button'),
    label: style('label'),
    link: style('link'),
    code: style('code'),
    half: style('half')
  }
}

/**
 * The rules for dark mode, with one class per part, for mail clients that support `prefers-color-scheme`.
 *
 * They contain no character that HTML escapes, so that every client reads the same rules.
 *
 * @returns `null` if one scheme is configured.
 */
export function darkMailRules(theme: Theme): string | null {
  if (getScheme(theme) !== 'auto') return null
  const palette = paletteFor(theme, 'dark')
  const rules = parts.map((part) => `.${part}{${declarations(colored(part, palette))}}`)
  return `@media (prefers-color-scheme:dark){${rules.join('')}}`
}

type Colors = Readonly<Record<string, string>>

function colored(part: Part, palette: Palette): Colors {
  return Object.fromEntries(Object.entries(colors[part]).map(([property, shade]) => [property, palette[shade]]))
}

function declarations(style: Colors): string {
  const dashed = (property: string): string => property.replace('Color', '-color')
  return Object.entries(style)
    .map(([property, color]) => `${dashed(property)}:${color} !important;`)
    .join('')
}
