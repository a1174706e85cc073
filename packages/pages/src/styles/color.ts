import { namedColors } from './named-colors.ts'

/** Red, green and blue from 0 to 255, and alpha from 0 to 1. */
export interface Color {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
}

const maxColorLength = 64
const hexColor = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/
const amount = String.raw`([+-]?\d{1,4}(?:\.\d{1,9})?|\.\d{1,9})(%|deg)?`
const between = String.raw`(?:\s*,\s*|\s+)`
const functionColor = new RegExp(
  String.raw`^(rgb|hsl)a?\(\s*${amount}${between}${amount}${between}${amount}(?:\s*[,/]\s*${amount})?\s*\)$`
)

/**
 * Parses a CSS color: hexadecimal, `rgb()`, `hsl()` or a name.
 *
 * Only the parsed numbers are written to the style sheet, never the text.
 *
 * @returns `null` for anything else.
 */
export function parseColor(text: string): Color | null {
  if (text.length > maxColorLength) return null
  const spelled = text.trim().toLowerCase()
  const hex = namedColors.get(spelled) ?? spelled
  return hexColor.test(hex) ? fromHex(hex.slice(1)) : fromFunction(spelled)
}

function fromHex(digits: string): Color {
  const long = digits.length < 6 ? digits.replaceAll(/./g, '$&$&') : digits
  const at = (index: number): number => Number.parseInt(long.slice(index, index + 2) || 'ff', 16)
  return { red: at(0), green: at(2), blue: at(4), alpha: at(6) / 255 }
}

function fromFunction(text: string): Color | null {
  const [, kind, ...parts] = functionColor.exec(text) ?? []
  const [first, firstUnit, second, secondUnit, third, thirdUnit, fourth, fourthUnit] = parts
  if (kind === undefined) return null
  const alpha = fourth === undefined ? 1 : share(fourth, fourthUnit, 1)
  if (kind === 'hsl') {
    const [saturation, lightness] = [share(second, '%', 1), share(third, '%', 1)]
    return firstUnit === '%' ? null : { ...fromHsl(Number(first), saturation, lightness), alpha }
  }
  if ([firstUnit, secondUnit, thirdUnit, fourthUnit].includes('deg')) return null
  return {
    red: share(first, firstUnit, 255),
    green: share(second, secondUnit, 255),
    blue: share(third, thirdUnit, 255),
    alpha
  }
}

/** @returns The number, or that percentage of `whole`; limited to 0 and `whole`. */
function share(number: string | undefined, unit: string | undefined, base: number): number {
  const value = unit === '%' ? (Number(number) / 100) * base : Number(number)
  return Math.min(Math.max(value, 0), base)
}

function fromHsl(hue: number, saturation: number, lightness: number): Omit<Color, 'alpha'> {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number): number => {
    const turn = (((offset + hue / 30) % 12) + 12) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)))
  }
  return { red: channel(0), green: channel(8), blue: channel(4) }
}

/** @returns `#rrggbb`, without alpha. */
export function toHex({ red, green, blue }: Color): string {
  return `#${[red, green, blue].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}

/** @returns A mix of the colors with `part` of the first, representable in hexadecimal. */
export function mix(color: Color, other: Color, part: number): Color {
  const blend = (one: number, two: number): number => Math.round(one * part + two * (1 - part))
  const { red, green, blue } = other
  return { red: blend(color.red, red), green: blend(color.green, green), blue: blend(color.blue, blue), alpha: 1 }
}

/** @returns The contrast ratio from 1 to 21, as in WCAG. */
export function contrast(one: Color, two: Color): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(two)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance({ red, green, blue }: Color): number {
  const linear = (channel: number): number => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
