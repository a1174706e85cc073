import type { SignInOption } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import type { Texts } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { credentialInput, inputAttributes } from './credential-input.ts'
import { Field } from './field.tsx'
import { Form } from './form.tsx'

interface ChoiceFormProps<T extends SignInOption['type']> {
  readonly choice: Extract<SignInOption, { readonly type: T }>
  readonly fields: Readonly<Record<string, string>>
  readonly texts: Texts
  readonly isMain: boolean
  readonly isExplained: boolean
  readonly isWrong: boolean
  /** Explains why the form failed. @defaultValue none */
  readonly notice?: ReactNode
  /** The username or address that was typed into the form before it failed, or that is known. @defaultValue none */
  readonly identifier?: string
}

/** The form for the email address that the sign-in mail is sent to. */
export function EmailForm(props: ChoiceFormProps<'email'>): ReactElement {
  const { choice, fields, texts, isMain, notice, identifier, ...blame } = props
  const { email, emailExample, submit, byEmail } = texts.signIn
  return (
    <Form action={choice.action} fields={fields}>
      {notice}
      <Field
        id={`input-email-for-${choice.id}-provider`}
        label={email}
        {...blame}
        input={{
          type: 'email',
          name: 'email',
          placeholder: emailExample,
          autoComplete: 'email',
          inputMode: 'email',
          autoCapitalize: 'none',
          spellCheck: false,
          required: true,
          ...inputAttributes(choice.attributes),
          ...getTyped(identifier)
        }}
      />
      <Button
        label={choice.submit ?? (choice.name === 'Email' ? byEmail : submit(choice.name))}
        kind={isMain ? 'main' : 'plain'}
      />
    </Form>
  )
}

/** The application's credentials form. */
export function CredentialsForm(props: ChoiceFormProps<'credentials'>): ReactElement {
  const { choice, fields, texts, isMain, notice, identifier, ...blame } = props
  const { submit, byCredentials } = texts.signIn
  const hasPassword = choice.fields.some(({ type }) => type.toLowerCase() === 'password')
  return (
    <Form action={choice.action} fields={fields}>
      {notice}
      {choice.fields.map((field) => {
        const id = `input-${field.name}-for-${choice.id}-provider`
        const isIdentifier = field.name === choice.identifier
        // Password managers store an address as the username of its password.
        const implied = isIdentifier && hasPassword ? { autoComplete: 'username' } : {}
        const input = { ...credentialInput(field, implied), ...(isIdentifier && getTyped(identifier)) }
        if (input.type === 'hidden') return <input key={field.name} {...input} id={id} />
        return <Field key={field.name} id={id} label={field.label} {...blame} input={input} />
      })}
      <Button
        label={choice.submit ?? (choice.name === 'Credentials' ? byCredentials : submit(choice.name))}
        kind={isMain ? 'main' : 'plain'}
      />
    </Form>
  )
}

const getTyped = (identifier: string = ''): { readonly defaultValue?: string } =>
  identifier === '' ? {} : { defaultValue: identifier }
