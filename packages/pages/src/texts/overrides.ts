import { checkShape, type Kind, type Problem, type Shape } from '@postern/core'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

type Changes<T> = {
  readonly [K in keyof T]?:
    | (T[K] extends string | readonly string[] | ((...given: never) => string) ? T[K] : Changes<T[K]>)
    | undefined
}

/** Replacements of built-in texts, by name. */
export type TextOverrides = Omit<Changes<Texts>, 'codes'> & {
  /** Explanations of the application's own codes; if a language lacks one, the English explanation is used. */
  readonly codes?: Texts['codes'] | undefined
}

type Group = Readonly<Record<string, unknown>>

const isGroup = (value: unknown): value is Group => typeof value === 'object' && value !== null && !Array.isArray(value)

function getKind(text: unknown): Kind {
  if (typeof text === 'function') return 'function'
  return isGroup(text) ? getShape(text) : 'string'
}

function getShape(group: Group): Shape {
  return Object.fromEntries(Object.entries(group).map(([name, text]) => [name, getKind(text)]))
}

const unread: Shape[string] = { oneOf: ['strings', ['all']] }
const textsShape: Shape = { ...getShape({ ...en }), codes: 'object', dir: ['ltr', 'rtl'], unread }
const explanationShape: Shape = { text: 'string', next: 'string' }

/** @returns Each text with its name, such as `signIn.heading`. */
export function namedTexts(group: Group, path: string = ''): readonly (readonly [name: string, text: unknown])[] {
  return Object.entries(group).flatMap(([name, text]) =>
    isGroup(text) ? namedTexts(text, `${path}${name}.`) : [[path + name, text] as const]
  )
}

/** Sample arguments for text functions that do not accept arbitrary strings. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  duration: [2, 'minute'],
  'verifyRequest.codeHint': [8],
  'verifyRequest.triesLeft': [2]
}

function makesText(name: string, text: (...given: readonly unknown[]) => unknown): boolean {
  try {
    return typeof text(...(samples[name] ?? ['sample'])) === 'string'
  } catch {
    return false
  }
}

type Make = (...given: readonly unknown[]) => unknown

const isMake = (text: unknown): text is Make => typeof text === 'function'

function checkCodes(codes: unknown, path: string): Problem[] {
  return Object.entries(isGroup(codes) ? codes : {}).flatMap(([code, explanation]) => {
    const mistakes = checkShape(explanation, explanationShape, `${path}.${code}`)
    const given = isGroup(explanation) ? Object.keys(explanation) : []
    const lacking = Object.keys(explanationShape).filter((name) => !given.includes(name))
    return mistakes.length > 0
      ? mistakes
      : lacking.map((name) => ({
          option: `${path}.${code}.${name}`,
          code: 'OPTION_MISSING',
          message: 'expected a text, got nothing'
        }))
  })
}

/** @returns The problems of unknown names, with suggestions, and of values that are not texts. */
export function checkOverrides(overrides: unknown, path: string): Problem[] {
  const mistakes = checkShape(overrides, textsShape, path)
  if (mistakes.length > 0 || !isGroup(overrides)) return mistakes
  const codes = checkCodes(overrides['codes'], `${path}.codes`)
  if (codes.length > 0) return codes
  return namedTexts(overrides).flatMap(([name, text]) =>
    isMake(text) && !makesText(name, text)
      ? [
          {
            option: `${path}.${name}`,
            code: 'INVALID_TYPE',
            message: 'expected a function that returns a text, whatever text it is given'
          }
        ]
      : []
  )
}

function merged<T>(base: T, changes: unknown): T {
  if (!isGroup(changes) || !isGroup(base)) return base
  const entries = Object.entries(base).map(([name, text]) => {
    const change = changes[name]
    return [name, isGroup(text) ? merged(text, change) : (change ?? text)]
  })
  return { ...base, ...Object.fromEntries(entries) }
}

const ownMakers = new WeakSet<Texts>()

/** @returns The texts with the replacements applied. */
export function withOverrides(texts: Texts, overrides: TextOverrides | undefined): Texts {
  if (overrides === undefined) return texts
  const all = { ...merged(texts, overrides), codes: { ...texts.codes, ...overrides.codes } }
  if (namedTexts({ ...overrides }).some(([, text]) => isMake(text))) ownMakers.add(all)
  return all
}

/** Whether the texts contain functions of the application, which may do more with a value than insert it. */
export function hasOwnMakers(texts: Texts): boolean {
  return ownMakers.has(texts)
}

/** @returns The names of the texts that no speaker of the language has reviewed. */
export function unreadTexts({ unread, variant: _, ...texts }: Texts): readonly string[] {
  if (unread !== 'all') return unread
  return namedTexts(texts).flatMap(([name]) => (name === 'lang' || name === 'dir' ? [] : [name]))
}
