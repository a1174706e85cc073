import type { CredentialField } from '@postern/core'
import type { InputHTMLAttributes } from 'react'

type InputProps = InputHTMLAttributes<HTMLInputElement>

const types: ReadonlySet<string> = new Set(
  'checkbox color date datetime-local email hidden month number password range search tel text time url week'.split(' ')
)

/** Attributes that a configuration may set, by HTML name, with their React names. */
const passedOn: ReadonlyMap<string, string> = new Map([
  ['autocapitalize', 'autoCapitalize'],
  ['autocomplete', 'autoComplete'],
  ['autocorrect', 'autoCorrect'],
  ['autofocus', 'autoFocus'],
  ['checked', 'defaultChecked'],
  ['dir', 'dir'],
  ['disabled', 'disabled'],
  ['enterkeyhint', 'enterKeyHint'],
  ['inputmode', 'inputMode'],
  ['lang', 'lang'],
  ['max', 'max'],
  ['maxlength', 'maxLength'],
  ['min', 'min'],
  ['minlength', 'minLength'],
  ['multiple', 'multiple'],
  ['pattern', 'pattern'],
  ['placeholder', 'placeholder'],
  ['readonly', 'readOnly'],
  ['required', 'required'],
  ['size', 'size'],
  ['spellcheck', 'spellCheck'],
  ['step', 'step'],
  ['title', 'title'],
  ['value', 'defaultValue']
])
const dataOrAria = /^(?:data|aria)-[a-z][a-z\d-]*$/

/** The types of inputs that have a value at all times, or that may be left unchecked. */
const optionalTypes: ReadonlySet<string> = new Set(['checkbox', 'color', 'hidden', 'range'])

/**
 * The input of one field of a credentials form. It is required, unless its attributes say otherwise.
 *
 * Attributes that could run a script, load a file or change the form's target are omitted.
 *
 * @param implied - Props that the form implies for this field; the configured attributes replace them.
 */
export function credentialInput({ name, type, attributes }: CredentialField, implied: InputProps = {}): InputProps {
  const inputType = types.has(type.toLowerCase()) ? type.toLowerCase() : 'text'
  const required = optionalTypes.has(inputType) ? {} : { required: true }
  return {
    ...required,
    ...expected(name, inputType),
    ...implied,
    ...inputAttributes(attributes),
    name,
    type: inputType
  }
}

/** @returns The props of the attributes that an input may have. */
export function inputAttributes(attributes: CredentialField['attributes'] = {}): InputProps {
  const passed = Object.entries(attributes).flatMap(([given, value]) => {
    const spelled = given.toLowerCase()
    const prop = passedOn.get(spelled) ?? (dataOrAria.test(spelled) ? spelled : null)
    return prop === null ? [] : [[prop, value] as const]
  })
  return Object.fromEntries(passed)
}

/** Hints for browsers and password managers, if the field's name or type implies them. */
function expected(name: string, type: string): InputProps {
  if (type === 'password') return { autoComplete: 'current-password', autoCapitalize: 'none', spellCheck: false }
  if (type === 'email') return { autoComplete: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false }
  if (type !== 'text') return {}
  const plain = { autoCapitalize: 'none', spellCheck: false } as const
  if (/^e-?mail$/i.test(name)) return { ...plain, autoComplete: 'email', inputMode: 'email' }
  if (/^(?:user(?:_?name)?|login|nickname)$/i.test(name)) return { ...plain, autoComplete: 'username' }
  if (/^(?:t?otp|2fa|mfa)(?:_?code)?$/i.test(name))
    return { ...plain, autoComplete: 'one-time-code', inputMode: 'numeric' }
  return {}
}
