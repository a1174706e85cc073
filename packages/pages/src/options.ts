import { checkShape, type Logger, type Problem, type Shape } from '@postern/core'
import { isValidElement } from 'react'
import { builtIn, type Screens } from './screens/screens.tsx'
import { checkLanguages, type LanguageOptions } from './texts/catalogue.ts'

/** The options of a renderer. */
export interface RendererOptions extends LanguageOptions {
  /**
   * Components of the application that replace built-in screens. They receive the same props, are rendered for every
   * request, and are placed in the same document. If one throws, the built-in screen is shown.
   */
  readonly screens?: Screens | undefined
  /**
   * Whether screens with a form load a small script: it focuses the first field, submits a pasted code, and prevents a
   * form from being submitted twice. Everything works without it.
   *
   * @defaultValue `false`: the screens allow no scripts
   */
  readonly script?: boolean | undefined
  /**
   * Whether languages other than the first are loaded on first use. `createPostern` handles this; a caller of `page`
   * and `mail` must call `prepare` first.
   *
   * @defaultValue `false`
   */
  readonly lazy?: boolean | undefined
  /** Receives errors of screens and of loading languages. @defaultValue `console` */
  readonly logger?: Pick<Logger, 'error'> | undefined
}

const screensShape: Shape = Object.fromEntries(
  Object.keys(builtIn).map((name) => [name, { oneOf: ['function', 'object'] }])
)

const shape: Shape = {
  languages: { oneOf: [['all'], 'strings'] },
  texts: 'object',
  screens: screensShape,
  script: 'boolean',
  lazy: 'boolean',
  logger: 'object'
}

const describeType = (title: string): string => `expected a component, got ${title}`

/**
 * @returns The problem of an object that is used as a screen; React's own objects, such as those of `memo`, are
 * components.
 */
function noComponent(screen: unknown): string | null {
  if (typeof screen !== 'object' || screen === null) return null
  if (isValidElement(screen))
    return `${describeType('an element')}; pass the component itself, as { SignIn }, not { SignIn: <SignIn /> }`
  if ('then' in screen) return `${describeType('a promise')}; await it`
  return '$$typeof' in screen ? null : `${describeType('an object')}; pass a function that returns what React renders`
}

/** The name of a feature's screen: `terms/accept`. */
const featureScreen = /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/

function checkScreens({ screens = {} }: RendererOptions): Problem[] {
  return Object.entries(screens).flatMap(([name, screen]) => {
    const message = noComponent(screen)
    return message === null ? [] : [{ option: `screens.${name}`, code: 'INVALID_TYPE', message }]
  })
}

/** @returns The problem of a logger without an `error` method; other methods are not checked. */
function checkLogger({ logger }: RendererOptions): Problem[] {
  if (!logger || typeof logger.error === 'function') return []
  const mistakes = checkShape(logger, { error: 'function' }, 'logger')
  return mistakes.length > 0
    ? mistakes
    : [
        {
          option: 'logger',
          code: 'METHODS_MISSING',
          message: 'expected a logger with error(); omit it to use the console'
        }
      ]
}

/** @returns Every problem of the options, each with the expected value. */
export function checkRendererOptions(options: RendererOptions): readonly Problem[] {
  const mistakes = checkShape(options, shape, '').filter(
    ({ option, code }) => code !== 'UNKNOWN_OPTION' || !featureScreen.test(option.replace(/^screens\./, ''))
  )
  const isRight = (...names: readonly string[]): boolean =>
    !mistakes.some(({ option }) => ['options', ...names].includes(option.split('.', 1)[0] ?? ''))
  return [
    ...mistakes,
    ...(isRight('languages', 'texts') ? checkLanguages(options) : []),
    ...(isRight('screens') ? checkScreens(options) : []),
    ...(isRight('logger') ? checkLogger(options) : [])
  ]
}
