import { checkShape, type Logger, type Problem, type Shape } from '@postern/core'
import { isValidElement } from 'react'
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

const told = (what: string): string => `expected a component, got ${what}`

/** @returns What is wrong with an object that stands for a screen; React's own, as `memo` makes them, are components. */
function noComponent(screen: unknown): string | null {
  if (typeof screen !== 'object' || screen === null) return null
  if (isValidElement(screen))
    return `${told('an element')}; pass the component itself, as { SignIn }, not { SignIn: <SignIn /> }`
  if ('then' in screen) return `${told('a promise')}; await it`
  return '$$typeof' in screen ? null : `${told('an object')}; pass a function that returns what React renders`
}

function checkScreens({ screens = {} }: RendererOptions): Problem[] {
  return Object.entries(screens).flatMap(([name, screen]) => {
    const message = noComponent(screen)
    return message === null ? [] : [{ option: `screens.${name}`, message }]
  })
}

/** @returns What is wrong with a logger that could not be told anything; what else one has is its own affair. */
function checkLogger({ logger }: RendererOptions): Problem[] {
  if (!logger || typeof logger.error === 'function') return []
  const mistakes = checkShape(logger, { error: 'function' }, 'logger')
  return mistakes.length > 0
    ? mistakes
    : [{ option: 'logger', message: 'expected a logger with error(); leave it out for the console' }]
}

/** @returns Every mistake in the options, each with what was expected. */
export function checkRendererOptions(options: RendererOptions): readonly Problem[] {
  const mistakes = checkShape(options, shape, '')
  const isRight = (...names: readonly string[]): boolean =>
    !mistakes.some(({ option }) => ['options', ...names].includes(option.split('.', 1)[0] ?? ''))
  return [
    ...mistakes,
    ...(isRight('languages', 'texts') ? checkLanguages(options) : []),
    ...(isRight('screens') ? checkScreens(options) : []),
    ...(isRight('logger') ? checkLogger(options) : [])
  ]
}
