import { Button, CaptchaWidget, Field, Form, Heading, Identity, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import { Links, NextSteps } from '../links.tsx'
import { OwnInput } from '../sign-up-form/own-input.tsx'
import { explainCreation, Failure } from './failure.tsx'
import { getHiddenFields, type SignUpField, type SignUpProps } from './sign-up-props.ts'
import type { ScreenProps, Texts } from './texts.ts'

const inputs = {
  email: { type: 'email', autoComplete: 'username' },
  code: { type: 'text', autoComplete: 'one-time-code' }
} as const

/** A field with its error beside it. */
function SignUpInput({ field, texts }: { readonly field: SignUpField; readonly texts: Texts }): ReactElement {
  const { name, value, problem } = field
  return (
    <Field
      id={name}
      label={texts[name]}
      isExplained={false}
      isWrong={problem !== null}
      error={problem && texts[problem]}
      input={{
        autoCapitalize: 'none',
        spellCheck: false,
        required: true,
        ...inputs[name],
        name,
        autoFocus: problem !== null,
        ...(value && { defaultValue: value })
      }}
    />
  )
}

/** Every screen of the sign-up: a text, and one form. The options of a new passkey are in the form, for the script. */
export function SignUpScreen({ props, texts, csrfToken }: ScreenProps<SignUpProps>): ReactElement {
  const { title, text, email, form, problem, link } = props
  // The field of the feature comes first.
  const wrong = form?.field?.problem ? null : form?.ownFields?.find((field) => field.problem !== null)?.name
  const Below = form ? Links : NextSteps
  return (
    <>
      <Heading text={texts[title]} />
      <p className="lead">{texts[text]}</p>
      {form?.options && (
        <noscript>
          <p className="lead">{texts.needsScript}</p>
        </noscript>
      )}
      {problem && <Notice tone="problem" explanation={{ text: texts[problem], next: '' }} />}
      {email !== null && <Identity name={email} />}
      {form && (
        <div className="stack">
          <Form action={form.action} fields={{ csrfToken, ...getHiddenFields(form) }}>
            {form.options && <Failure explanations={explainCreation(texts)} />}
            {form.field && <SignUpInput field={form.field} texts={texts} />}
            {form.ownFields?.map((field) => (
              <OwnInput key={field.name} field={field} hasFocus={field.name === wrong} texts={texts} />
            ))}
            {form.captcha && <CaptchaWidget {...form.captcha} />}
            <Button label={texts[form.submit]} />
          </Form>
        </div>
      )}
      {link && <Below links={[{ label: texts[link.text], href: link.href }]} />}
    </>
  )
}
