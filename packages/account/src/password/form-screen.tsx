import { Button, CaptchaWidget, Field, Form, Heading, Identity, Notice } from '@postern/pages'
import type { ComponentProps, ReactElement } from 'react'
import { Links, NextSteps } from '../links.tsx'
import { OwnInput } from '../sign-up-form/own-input.tsx'
import type { FormField, FormProps } from './form-props.ts'
import { maxLength } from './password-policy.ts'
import type { ScreenProps, Texts } from './texts.ts'

type Input = ComponentProps<typeof Field>['input']

const types = { email: 'email', password: 'password', currentPassword: 'password', code: 'text' } as const

/** What the script shows while a new password is typed. */
function getStrengthTexts({ minLength }: FormField, texts: Texts): object {
  if (minLength === null) return {}
  const { strengthShort, strengthFair, strengthGood, strengthStrong } = texts
  return {
    'data-strength-short': strengthShort,
    'data-strength-fair': strengthFair,
    'data-strength-good': strengthGood,
    'data-strength-strong': strengthStrong
  }
}

/** The syntax of `passwordrules` is Apple's, of "Customizing Password AutoFill rules". */
function getRules({ minLength }: FormField): Pick<Input, 'minLength' | 'passwordrules'> {
  if (minLength === null) return {}
  return { minLength, passwordrules: `minlength: ${minLength}; maxlength: ${maxLength}; allowed: unicode;` }
}

function toInput(field: FormField, texts: Texts): Input {
  const { name, value, autocomplete } = field
  return {
    autoCapitalize: 'none',
    spellCheck: false,
    required: true,
    name,
    type: types[name],
    autoComplete: autocomplete,
    ...(value && { defaultValue: value }),
    ...getRules(field),
    ...getStrengthTexts(field, texts)
  }
}

interface FormInputProps {
  readonly field: FormField
  readonly hasFocus: boolean
  readonly texts: Texts
}

/** A field with its error beside it. */
function FormInput({ field, hasFocus, texts }: FormInputProps): ReactElement {
  const { name, label, problem, hint } = field
  return (
    <Field
      id={name}
      label={texts[label]}
      isExplained={false}
      isWrong={problem !== null}
      error={problem && texts[problem]}
      input={{ ...toInput(field, texts), autoFocus: hasFocus }}
      {...(hint && { hint: texts[hint] })}
    />
  )
}

/** Password managers store a password with the user name that the form contains. */
function UserName({ email, label }: { readonly email: string; readonly label: string }): ReactElement {
  const input = { name: 'username', type: 'text', autoComplete: 'username', defaultValue: email, readOnly: true }
  return <Field id="username" label={label} isExplained={false} isWrong={false} input={input} />
}

/** Every screen of the feature: a text, and one form. */
export function FormScreen({ props, texts, csrfToken }: ScreenProps<FormProps>): ReactElement {
  const { title, text, email, form, problem, links } = props
  const hasPassword = form?.fields.some(({ name }) => name === 'password') ?? false
  const fields = [...(form?.fields ?? []), ...(form?.ownFields ?? [])]
  // The next step is in the mailbox where the screen waits for a mail.
  const Below = form === null && title !== 'checkMail' ? NextSteps : Links
  const wrong = fields.find((field) => field.problem !== null)?.name
  return (
    <>
      <Heading text={texts[title]} />
      <p className="lead">{texts[text]}</p>
      {problem && <Notice tone="problem" explanation={{ text: texts[problem], next: '' }} />}
      {email !== null && !hasPassword && <Identity name={email} />}
      {form && (
        <div className="stack">
          <Form action={form.action} fields={{ csrfToken, ...form.values }}>
            {email !== null && hasPassword && <UserName email={email} label={texts.email} />}
            {form.fields.map((field) => (
              <FormInput key={field.name} field={field} hasFocus={field.name === wrong} texts={texts} />
            ))}
            {form.ownFields?.map((field) => (
              <OwnInput key={field.name} field={field} hasFocus={field.name === wrong} texts={texts} />
            ))}
            {form.captcha && <CaptchaWidget {...form.captcha} />}
            <Button label={texts[form.submit]} />
          </Form>
        </div>
      )}
      {links.length > 0 && <Below links={links.map((link) => ({ label: texts[link.text], href: link.href }))} />}
    </>
  )
}
