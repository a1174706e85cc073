import type { SignInOption } from '@postern/core'
import type { InputHTMLAttributes, ReactElement, ReactNode } from 'react'
import type { Texts } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { CaptchaWidget } from './captcha-widget.tsx'
import { credentialInput, inputAttributes } from './credential-input.ts'
import { Field, type FieldLink } from './field.tsx'
import { Form } from './form.tsx'

type OptionOf<T extends SignInOption['type']> = Extract<SignInOption, { readonly type: T }>

/** What the forms for an address have in common. */
interface AddressFormProps {
  /** The method with a password. @defaultValue none */
  readonly password?: OptionOf<'credentials'> | null
  readonly emails: readonly OptionOf<'email'>[]
  /** Hidden fields, such as the CSRF token. */
  readonly fields: Readonly<Record<string, string>>
  readonly texts: Texts
  readonly isMain: boolean
  readonly isExplained: boolean
  readonly isWrong: boolean
  /** Whether the message is about the password too. @defaultValue `true` */
  readonly blamesPassword?: boolean
  /** Explains why the form failed. @defaultValue none */
  readonly notice?: ReactNode
  /** The address that was typed into the form before it failed, or that is known. @defaultValue none */
  readonly identifier?: string
  /** Whether the address was chosen in an earlier step, and the link to that step. @defaultValue it is typed here */
  readonly chosen?: FieldLink | null
  /** Whether the address is that of a known user, whom the page names: the form has no field for it. @defaultValue `false` */
  readonly isFixed?: boolean
  /** The link for a forgotten password. @defaultValue none */
  readonly recovery?: FieldLink | null
  /** The id of the method that this browser signed in with last. @defaultValue none */
  readonly lastUsed?: string | null
}

type Input = InputHTMLAttributes<HTMLInputElement>

function addressInput(
  password: OptionOf<'credentials'> | null,
  email: OptionOf<'email'> | undefined,
  texts: Texts
): Input {
  const shared = { type: 'email', name: 'email', placeholder: texts.signIn.emailExample, required: true } as const
  const field = password?.fields.find(({ name }) => name === 'email')
  // Password managers store an address as the username of its password.
  if (field) return { ...shared, ...credentialInput(field, { autoComplete: 'username' }) }
  const plain = { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const
  return { ...shared, autoComplete: 'email', ...plain, ...inputAttributes(email?.attributes) }
}

/** The text of the button that sends a mail. */
function emailLabel({ submit, name, sends }: OptionOf<'email'>, { signIn }: Texts, isBeside: boolean): string {
  if (submit) return submit
  if (name !== 'Email') return signIn.submit(name)
  if (sends === 'code') return isBeside ? signIn.byCodeInstead : signIn.byCode
  return isBeside ? signIn.byEmailInstead : signIn.byEmail
}

/**
 * One field for the address, and the password of that address if there is one. The methods share the field: the first
 * button submits the form, and each other one submits it to the URL of its method.
 */
export function AddressForm(props: AddressFormProps): ReactElement {
  const { password = null, emails, fields, texts, isMain, isExplained, isWrong, chosen = null } = props
  const { identifier = '', isFixed = false, recovery = null, lastUsed = null, blamesPassword = true } = props
  const [first] = emails
  const owner = password?.id ?? first?.id ?? ''
  const label = password?.fields.find(({ name }) => name === 'email')?.label ?? texts.signIn.email
  const focusesPassword = password !== null && identifier !== '' && (isWrong ? blamesPassword : chosen !== null)
  const input = {
    ...addressInput(password, first, texts),
    ...(identifier !== '' && { defaultValue: identifier }),
    ...(chosen && { readOnly: true }),
    ...(isWrong && !focusesPassword && { autoFocus: true })
  }
  const mark = (id: string | undefined): string | null => (id === lastUsed ? texts.signIn.lastUsed : null)
  return (
    <Form action={password?.action ?? first?.action ?? ''} fields={fields}>
      {props.notice}
      {isFixed ? (
        <FixedAddress address={identifier} />
      ) : (
        <Field
          id={`input-email-for-${owner}-provider`}
          label={label}
          isExplained={isExplained}
          isWrong={isWrong}
          link={chosen}
          input={input}
        />
      )}
      {password && (
        <OtherFields
          password={password}
          recovery={recovery}
          hasFocus={focusesPassword}
          isExplained={isExplained && blamesPassword}
          isWrong={isWrong && blamesPassword}
        />
      )}
      <MailCaptcha emails={emails} />
      <Button
        label={password ? passwordLabel(password, texts) : first ? emailLabel(first, texts, false) : ''}
        kind={isMain ? 'main' : 'plain'}
        mark={mark(password?.id ?? first?.id)}
      />
      {(password ? emails : emails.slice(1)).map((option) => (
        <MailButton key={option.id} option={option} texts={texts} isBeside={password !== null} mark={mark(option.id)} />
      ))}
    </Form>
  )
}

interface MailButtonProps extends Pick<AddressFormProps, 'texts'> {
  readonly option: OptionOf<'email'>
  /** Whether there is a password, too. */
  readonly isBeside: boolean
  readonly mark: string | null
}

function MailButton({ option, texts, isBeside, mark }: MailButtonProps): ReactElement {
  return <Button label={emailLabel(option, texts, isBeside)} kind="plain" action={option.action} mark={mark} />
}

/** The captcha of the methods that send a mail. */
function MailCaptcha({ emails }: Pick<AddressFormProps, 'emails'>): ReactElement | null {
  const captcha = emails.find((option) => option.captcha)?.captcha
  return captcha ? <CaptchaWidget {...captcha} /> : null
}

/** Not shown, but known to password managers, which have to find the password of this address. */
function FixedAddress({ address }: { readonly address: string }): ReactElement {
  return (
    <input type="email" name="email" autoComplete="username" defaultValue={address} readOnly={true} hidden={true} />
  )
}

function passwordLabel({ submit, name }: OptionOf<'credentials'>, { signIn }: Texts): string {
  return submit ?? signIn.submit(name)
}

interface OtherFieldsProps {
  readonly password: OptionOf<'credentials'>
  readonly isExplained: boolean
  readonly isWrong: boolean
  readonly recovery: FieldLink | null
  readonly hasFocus: boolean
}

/** The fields beside the address: the password, with the link for a forgotten one. */
function OtherFields({
  password,
  isExplained,
  isWrong,
  recovery,
  hasFocus
}: OtherFieldsProps): readonly ReactElement[] {
  const others = password.fields.filter(({ name }) => name !== 'email')
  return others.map((field, at) => {
    const id = `input-${field.name}-for-${password.id}-provider`
    const input = credentialInput(field)
    if (input.type === 'hidden') return <input key={field.name} {...input} id={id} />
    const link = input.type === 'password' ? recovery : null
    const focused = { ...input, ...(hasFocus && at === 0 && { autoFocus: true }) }
    return (
      <Field
        key={field.name}
        id={id}
        label={field.label}
        isExplained={isExplained}
        isWrong={isWrong}
        link={link}
        input={focused}
      />
    )
  })
}

interface IdentifierFormProps extends AddressFormProps {
  readonly action: string
}

/** The first of two steps: the address alone. */
export function IdentifierForm(props: IdentifierFormProps): ReactElement {
  const { action, emails, password = null, fields, texts, notice, isWrong, identifier = '' } = props
  return (
    <Form action={action} fields={fields}>
      {notice}
      <Field
        id="input-email"
        label={texts.signIn.email}
        isExplained={isWrong}
        isWrong={isWrong}
        input={{
          ...addressInput(password, emails[0], texts),
          ...(identifier !== '' && { defaultValue: identifier }),
          ...(isWrong && { autoFocus: true })
        }}
      />
      <Button label={texts.signIn.next} />
    </Form>
  )
}
