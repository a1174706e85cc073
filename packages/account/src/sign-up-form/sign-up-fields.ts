import type { Awaitable } from '@postern/core/feature'
import { type ByLanguage, type FeatureTexts, type Fields, getText, type PlainScreen } from '@postern/core/feature'
import { TextCollector } from '../pages/pick-text.ts'

/** A text of the application for every language, or one for each: `{ en: 'Company', de: 'Firma' }`. */
export type OwnText = string | ByLanguage<string>

/** A field that the application adds to the form of a sign-up. */
export interface SignUpField {
  readonly label: OwnText
  /** @defaultValue `'text'` */
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'number' | 'date' | 'checkbox' | undefined
  /** @defaultValue `true`; `false` for a checkbox */
  readonly required?: boolean | undefined
  /** The values that can be selected, with their labels. @defaultValue any value can be typed */
  readonly options?: Readonly<Record<string, OwnText>> | undefined
  readonly hint?: OwnText | undefined
  /** The value of `autocomplete`, such as `organization`. @defaultValue `off` */
  readonly autocomplete?: string | undefined
}

/** The fields by their names, which are those of columns of the user. */
export type SignUpFields = Readonly<Record<string, SignUpField>>

/** What was typed: `null` for nothing, a boolean for a checkbox. */
export type SignUpValues = Readonly<Record<string, string | boolean | null>>

/** Errors by field. */
type FieldErrors = Readonly<Record<string, OwnText | undefined>>

/** Returns the errors by field; none if it accepts the values. */
export type ValidateSignUp = (values: SignUpValues) => Awaitable<FieldErrors>

/** What the sign-up reads the fields with. */
export interface OwnFields {
  readonly fields: SignUpFields
  readonly validate: ((values: SignUpValues) => Promise<FieldErrors>) | null
}

/** A field as the screen shows it. Names of texts are keys of the texts of this page. */
export interface ShownField {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly isRequired: boolean
  /** `null` if any value can be typed. */
  readonly options: readonly { readonly value: string; readonly label: string }[] | null
  readonly hint: string | null
  readonly autocomplete: string
  readonly value: string | boolean | null
  readonly problem: string | null
}

/** What a form contained, with what is wrong with it: a text of the application, or `null` for the built-in one. */
export interface ReadFields {
  readonly values: SignUpValues
  readonly problems: Readonly<Record<string, OwnText | null>>
}

export const noFields: ReadFields = { values: {}, problems: {} }

export const hasProblems = ({ problems }: ReadFields): boolean => Object.keys(problems).length > 0

/** The names that the forms, or the store, use themselves. */
const reserved: ReadonlySet<string> = new Set([
  'email',
  'password',
  'username',
  'code',
  'token',
  'confirmed',
  'csrfToken',
  'callbackUrl',
  'json',
  'credential',
  'options',
  'id',
  'emailVerified',
  '__proto__',
  'constructor'
])

const maxLength = 1000

/** @returns What is wrong with the names of the fields. */
export const findFieldProblems = (fields: SignUpFields): readonly string[] =>
  Object.keys(fields)
    .filter((name) => reserved.has(name) || !/^[A-Za-z_]\w{0,63}$/.test(name))
    .map((name) => `expected another name of a field of signUpFields than ${name}`)

function readValue(name: string, { type }: SignUpField, body: Fields): string | boolean | null {
  const text = getText(body, name)
  return type === 'checkbox' ? text !== null : text?.trim() || null
}

function isAccepted(value: string | boolean | null, { type, required = type !== 'checkbox', options }: SignUpField) {
  if (value === null || value === false) return !required
  if (value === true) return true
  return value.length <= maxLength && (!options || Object.hasOwn(options, value))
}

const readValues = (body: Fields, { fields }: Pick<OwnFields, 'fields'>): SignUpValues =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, readValue(name, field, body)]))

/** Keeps what was typed into a form that is refused for another reason, without checking it. */
export const keepFields = (body: Fields, setup: OwnFields): ReadFields => ({
  values: readValues(body, setup),
  problems: {}
})

/** Reads the fields of a form, and calls the function of the application if none is missing. */
export async function readFields(body: Fields, { fields, validate }: OwnFields): Promise<ReadFields> {
  const entries = Object.entries(fields)
  const values = readValues(body, { fields })
  const wrong = entries.filter(([name, field]) => !isAccepted(values[name] ?? null, field))
  if (wrong.length > 0) return { values, problems: Object.fromEntries(wrong.map(([name]) => [name, null])) }
  const errors = Object.entries((await validate?.(values)) ?? {})
  const unknown = errors.find(([name]) => !Object.hasOwn(fields, name))
  if (unknown) throw new TypeError(`validateSignUp returned an error for ${unknown[0]}, which is not in signUpFields`)
  const problems = errors.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
  return { values, problems: Object.fromEntries(problems) }
}

const toTexts = (text: OwnText): ByLanguage<string> => (typeof text === 'string' ? { en: text } : text)

/** @returns The fields as a screen shows them, and their texts. */
export function showFields(
  { fields }: OwnFields,
  { values, problems }: ReadFields
): { readonly ownFields: readonly ShownField[]; readonly texts: FeatureTexts } {
  const collector = new TextCollector()
  const add = (key: string, text: OwnText): string => {
    collector.add(key, toTexts(text))
    return key
  }
  const ownFields = Object.entries(fields).map(([name, field]): ShownField => {
    const { type = 'text', required = type !== 'checkbox', autocomplete = 'off', options, hint } = field
    const key = `signUpField.${name}`
    const problem = problems[name]
    const shownOptions = Object.entries(options ?? {}).map(([value, label]) => ({
      value,
      label: add(`${key}.option.${value}`, label)
    }))
    return {
      name,
      label: add(key, field.label),
      type,
      isRequired: required,
      autocomplete,
      options: options ? shownOptions : null,
      hint: hint === undefined ? null : add(`${key}.hint`, hint),
      value: values[name] ?? null,
      problem: problem === null ? 'fieldInvalid' : problem === undefined ? null : add(`${key}.problem`, problem)
    }
  })
  return { ownFields, texts: collector.texts }
}

/** The fields of a screen that is shown without a renderer. */
export function toPlainFields(
  fields: readonly ShownField[],
  texts: Readonly<Record<string, string>>
): NonNullable<PlainScreen['form']>['fields'] {
  return fields.map(({ name, label, type, value }) => ({
    name,
    label: texts[label] ?? label,
    type,
    value: value === null ? '' : String(value)
  }))
}
