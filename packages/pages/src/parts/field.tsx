import type { InputHTMLAttributes, ReactElement } from 'react'
import { safeLink } from '../safe-link.ts'
import { noticeId, WarningIcon } from './notice.tsx'

/** A link on the line of a label. */
export interface FieldLink {
  readonly href: string
  readonly label: string
}

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly hint?: string
  /** What is wrong with the previous input, beside the field. @defaultValue the notice of the screen says it */
  readonly error?: string | null
  /** Whether the notice of the screen is about this field. */
  readonly isExplained: boolean
  /** Whether the previous input is known to be wrong. */
  readonly isWrong: boolean
  /** At the end of the line of the label, such as "Forgot password?". @defaultValue none */
  readonly link?: FieldLink | null
  /** `passwordrules`: what a new password must meet, for the password managers of Apple. */
  readonly input: InputHTMLAttributes<HTMLInputElement> & {
    readonly 'data-letters'?: number
    readonly passwordrules?: string
  }
  /** The values that can be selected; `input` then has the attributes of a `select`. @defaultValue `null`: an input */
  readonly options?: readonly { readonly value: string; readonly label: string }[] | null
}

/** The input, or the list of values. */
function Control({
  input: { type, ...input },
  options
}: {
  readonly input: FieldProps['input'] & { readonly id: string }
  readonly options: FieldProps['options']
}): ReactElement {
  if (!options) return <input className={type === 'checkbox' ? undefined : 'input'} type={type} {...input} />
  const { id, name, required, autoComplete, autoFocus, defaultValue } = input
  const attributes = {
    id,
    name,
    required,
    autoComplete,
    autoFocus,
    defaultValue,
    'aria-describedby': input['aria-describedby'],
    'aria-invalid': input['aria-invalid']
  }
  return (
    <select className="input" {...attributes}>
      <option value="" />
      {options.map(({ value, label }) => (
        <option key={value} value={value} dir="auto">
          {label}
        </option>
      ))}
    </select>
  )
}

/** The label, and the link at the end of its line. */
function Label({
  id,
  label,
  link
}: {
  readonly id: string
  readonly label: string
  readonly link: FieldLink | null
}): ReactElement {
  if (!link)
    return (
      <label htmlFor={id}>
        <bdi>{label}</bdi>
      </label>
    )
  return (
    <div className="field-line">
      <label htmlFor={id}>
        <bdi>{label}</bdi>
      </label>
      <a className="link" href={safeLink(link.href)}>
        <bdi>{link.label}</bdi>
      </a>
    </div>
  )
}

/**
 * An input with its label, hint and error, linked for assistive technology. A text of the application may have another
 * direction than the page, so each is isolated.
 */
export function Field({
  id,
  label,
  hint,
  error = null,
  isExplained,
  isWrong,
  link = null,
  input,
  options = null
}: FieldProps): ReactElement {
  const isCheck = input.type === 'checkbox'
  // A checkbox has no invalid value.
  const descriptions = [
    isExplained && !isCheck ? noticeId : '',
    error === null ? '' : `${id}-error`,
    hint ? `${id}-hint` : ''
  ]
    .filter(Boolean)
    .join(' ')
  const control = (
    <Control
      input={{
        ...input,
        id,
        ...(descriptions && { 'aria-describedby': descriptions }),
        ...(isWrong && !isCheck && { 'aria-invalid': true })
      }}
      options={options}
    />
  )
  return (
    <div className={isCheck ? 'field field-check' : 'field'}>
      <Label id={id} label={label} link={link} />
      {input.type === 'password' ? <div className="secret">{control}</div> : control}
      {error !== null && (
        <p className="field-error" id={`${id}-error`}>
          <WarningIcon />
          <bdi>{error}</bdi>
        </p>
      )}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          <bdi>{hint}</bdi>
        </p>
      )}
    </div>
  )
}
