import { checkShape, type Logger, type Problem, type Shape } from '@postern/core'
import { builtIn, type Screens } from './screens/screens.tsx'
import { checkLanguages, type LanguageOptions } from './texts/catalogue.ts'

/** What a renderer may be made with. */
export interface RendererOptions extends LanguageOptions {
  /**
   * The application's components, in place of the built-in screens. They are given what the built-in ones are, and are
   * rendered for every visitor anew, in the same document. Where one throws, the built-in screen is shown.
   */
  readonly screens?: Screens | undefined
  /**
   * Whether screens with a form bring a small script: it puts the cursor into the first field, sends a code that is
   * pasted, and keeps a second press from sending a form twice. Everything works without it.
   *
   * @defaultValue `false`: no script may run on the screens
   */
  readonly script?: boolean | undefined
  /**
   * Whether a language but the first is loaded only when a visitor wishes for it. `createPostern` sees to that; who
   * calls `page` and `mail` themselves must call `prepare` before.
   *
   * @defaultValue `false`
   */
  readonly lazy?: boolean | undefined
  /** Where a screen that threw, or a language that could not be loaded, is told. @defaultValue `console` */
  readonly logger?: Pick<Logger, 'error'> | undefined
}

const screensShape: Shape = Object.fromEntries(
  Object.keys(builtIn).map((name) => [name, { oneOf: ['function', 'object'] }])
)

const shape: Shape = {
  languages: { oneOf: [['all'], 'texts'] },
  texts: 'object',
  screens: screensShape,
  script: 'flag',
  lazy: 'flag',
  logger: 'object'
}

/** @returns Every mistake in the options, each with what was expected. */
export function checkRendererOptions(options: RendererOptions): readonly Problem[] {
  const mistakes = checkShape(options, shape, '')
  const isUnclear = mistakes.some(({ option }) => ['languages', 'texts', 'options'].includes(option))
  return isUnclear ? mistakes : [...mistakes, ...checkLanguages(options)]
}
