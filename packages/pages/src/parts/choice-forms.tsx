import type { SignInOption } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import type { Texts } from '../texts/texts.ts'
import { AddressForm } from './address-form.tsx'
import { Button } from './button.tsx'
import { credentialInput } from './credential-input.ts'
import { Field, type FieldLink } from './field.tsx'
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
  /** The id of the method that this browser signed in with last. @defaultValue none */
  readonly lastUsed?: string | null
}

/** The form for the email address that the sign-in mail is sent to. */
export function EmailForm({ choice, ...props }: ChoiceFormProps<'email'>): ReactElement {
  return <AddressForm emails={[choice]} {...props} />
}

interface CredentialsFormProps extends ChoiceFormProps<'credentials'> {
  /** The link for a forgotten password. @defaultValue none */
  readonly recovery?: FieldLink | null
}

/** The form with the fields of one method. */
export function CredentialsForm(props: CredentialsFormProps): ReactElement {
  const { choice, fields, texts, isMain, notice, identifier = '', recovery = null, lastUsed = null, ...blame } = props
  const { byCredentials, submit } = texts.signIn
  const hasPassword = choice.fields.some(({ type }) => type.toLowerCase() === 'password')
  const inputs = choice.fields.map((field) => {
    const isIdentifier = field.name === choice.identifier
    // Password managers store an address as the username of its password.
    const implied = isIdentifier && hasPassword ? { autoComplete: 'username' } : {}
    const typed = isIdentifier && identifier !== '' ? { defaultValue: identifier } : {}
    return { field, input: { ...credentialInput(field, implied), ...typed } }
  })
  const seen = inputs.filter(({ input }) => input.type !== 'hidden' && input.type !== 'checkbox')
  const wrong = blame.isWrong ? (seen.find(({ input }) => !input.defaultValue) ?? seen[0]) : undefined
  return (
    <Form action={choice.action} fields={fields}>
      {notice}
      {inputs.map(({ field, input }) => {
        const id = `input-${field.name}-for-${choice.id}-provider`
        if (input.type === 'hidden') return <input key={field.name} {...input} id={id} />
        const link = input.type === 'password' ? recovery : null
        const focused = field === wrong?.field ? { ...input, autoFocus: true } : input
        return <Field key={field.name} id={id} label={field.label} {...blame} link={link} input={focused} />
      })}
      <Button
        label={choice.submit ?? (choice.name === 'Credentials' ? byCredentials : submit(choice.name))}
        kind={isMain ? 'main' : 'plain'}
        mark={choice.id === lastUsed ? texts.signIn.lastUsed : null}
      />
    </Form>
  )
}
