import type { Problem } from '../errors/config-error.ts'
import type { PosternOptions } from './options.ts'
import { isSupportUrl } from './support-url.ts'

const length = /^(\d{1,2}(?:\.\d{1,3})?)(px|rem)$/
const max = { px: 32, rem: 2 }

/** CSS keywords that are not valid as a font family. */
const words = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer', 'default'])
const maxFontLength = 300

function isRadius(text: string): boolean {
  const [, number = '', unit = ''] = length.exec(text) ?? []
  if (unit !== 'px' && unit !== 'rem') return text === '0'
  return Number(number) <= max[unit]
}

function isFamily(text: string): boolean {
  // Created only for a configured font: compiling the Unicode classes takes 0.4 ms.
  const plainFamily = /^[\p{L}_][\p{L}\p{N}_-]*(?: [\p{L}_][\p{L}\p{N}_-]*)*$/u
  const quotedFamily = /^(["'])[\p{L}\p{N}_. -]+\1$/u
  return quotedFamily.test(text) || (plainFamily.test(text) && !words.has(text.toLowerCase()))
}

function isFont(text: string): boolean {
  return text.length <= maxFontLength && text.split(/ *, */).every(isFamily)
}

/** @returns Problems of values that are not exactly one value of the style sheet. */
export function checkTheme({ theme = {} }: PosternOptions): Problem[] {
  const { radius = '', font = '', links: { support = '' } = {} } = theme
  const mistakes: readonly (Problem | false)[] = [
    radius !== '' &&
      !isRadius(radius) && {
        option: 'theme.radius',
        code: 'INVALID_VALUE',
        message: 'expected a length from 0 to 32px or 2rem, like 12px'
      },
    font !== '' &&
      !isFont(font) && {
        option: 'theme.font',
        code: 'INVALID_VALUE',
        message: 'expected names of font families between commas, like "Source Sans", Arial, sans-serif'
      },
    support !== '' &&
      !isSupportUrl(support) && {
        option: 'theme.links.support',
        code: 'INVALID_VALUE',
        message: 'expected an email address like help@example.com, a path like /contact or an https URL'
      }
  ]
  return mistakes.filter((mistake) => mistake !== false)
}

const colorNames = `
  aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod
  darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon
  darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray
  dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green
  greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon
  lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon
  lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta
  maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen
  mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive
  olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru
  pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen
  seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato
  turquoise violet wheat white whitesmoke yellow yellowgreen
`

/** Returns whether this is a named color of CSS Color 4, section 6.1, in lower case. */
function isColorName(word: string): boolean {
  return word !== '' && colorNames.split(/\s+/).includes(word)
}

function isColor(text: string): boolean {
  const spelled = text.trim().toLowerCase()
  return /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$|^(rgb|hsl)a?\(.+\)$/.test(spelled) || isColorName(spelled)
}

/** @returns Warnings about values that no page shows: next-auth passes them to the browser, which ignores them. */
export function themeWarnings({ theme = {}, url = '' }: PosternOptions): readonly string[] {
  const { logo = '' } = theme
  // A page of https shows no picture of http.
  const isMixed = /^http:\/\//i.test(logo) && url.startsWith('https:')
  const isShown = logo === '' || (!isMixed && /^(\/(?![/\\])|https?:\/\/|data:image\/)/i.test(logo))
  const colors = (['brandColor', 'buttonText'] as const).filter((name) => theme[name] && !isColor(theme[name]))
  return [
    ...(isShown
      ? []
      : [
          `theme.logo: expected a path like /logo.svg, an https address or a data: URL of a picture, got ${JSON.stringify(logo.slice(0, 100))}; it is not shown`
        ]),
    ...colors.map(
      (name) =>
        `theme.${name}: expected a color: hexadecimal, rgb(), hsl() or a name of CSS; the default is shown instead`
    )
  ]
}
