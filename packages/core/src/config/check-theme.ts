import type { Problem } from '../errors/config-error.ts'
import { isColorName } from './color-names.ts'
import type { PosternOptions } from './options.ts'

const length = /^(\d{1,2}(?:\.\d{1,3})?)(px|rem)$/
const most = { px: 32, rem: 2 }

/** Words of CSS that name no family where a family may stand. */
const words = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer', 'default'])
const longestFont = 300

function isRadius(text: string): boolean {
  const [, number = '', unit = ''] = length.exec(text) ?? []
  if (unit !== 'px' && unit !== 'rem') return text === '0'
  return Number(number) <= most[unit]
}

function isFamily(text: string): boolean {
  // Made for who names a font: the classes of letters take 0.4 ms.
  const plainFamily = /^[\p{L}_][\p{L}\p{N}_-]*(?: [\p{L}_][\p{L}\p{N}_-]*)*$/u
  const quotedFamily = /^(["'])[\p{L}\p{N}_. -]+\1$/u
  return quotedFamily.test(text) || (plainFamily.test(text) && !words.has(text.toLowerCase()))
}

function isFont(text: string): boolean {
  return text.length <= longestFont && text.split(/ *, */).every(isFamily)
}

/** @returns What would not be a value of the style sheet, or more than one. */
export function checkTheme({ theme = {} }: PosternOptions): Problem[] {
  const { radius = '', font = '' } = theme
  const mistakes: readonly (Problem | false)[] = [
    radius !== '' &&
      !isRadius(radius) && {
        option: 'theme.radius',
        message: 'expected a length from 0 to 32px or 2rem, like 12px'
      },
    font !== '' &&
      !isFont(font) && {
        option: 'theme.font',
        message: 'expected names of font families between commas, like "Source Sans", Arial, sans-serif'
      }
  ]
  return mistakes.filter((mistake) => mistake !== false)
}

function isColor(text: string): boolean {
  const spelled = text.trim().toLowerCase()
  return /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$|^(rgb|hsl)a?\(.+\)$/.test(spelled) || isColorName(spelled)
}

/** @returns What no page will show: next-auth leaves it to the browser, which leaves it out as well. */
export function themeWarnings({ theme = {} }: PosternOptions): readonly string[] {
  const { logo = '' } = theme
  const isShown = logo === '' || /^(\/(?![/\\])|https?:\/\/|data:image\/)/i.test(logo)
  const colors = (['brandColor', 'buttonText'] as const).filter((name) => theme[name] && !isColor(theme[name]))
  return [
    ...(isShown
      ? []
      : ['theme.logo: expected a path like /logo.svg, an https address or a data: URL of a picture; it is not shown']),
    ...colors.map(
      (name) =>
        `theme.${name}: expected a color: hexadecimal, rgb(), hsl() or a name of CSS; ours is shown in its place`
    )
  ]
}
