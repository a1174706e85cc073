import { Button, Form } from '@postern/pages'
import type { ReactElement } from 'react'
import { NextStep } from '../links.tsx'
import { CodeField } from '../mail/code-field.tsx'
import type { FactorsProps } from './props.ts'
import type { Texts } from './texts.ts'

interface ChangeFormProps {
  readonly action: string | null
  readonly label: string
  /** What the change does; empty for nothing to say. */
  readonly hint: string
  readonly kind: 'main' | 'danger'
  readonly props: FactorsProps
  readonly texts: Texts
  readonly csrfToken: string
}

/** A change that needs one of the factors, or the link to authenticate for it. */
export function ChangeForm(form: ChangeFormProps): ReactElement | null {
  const { action, label, hint, kind, props, texts, csrfToken } = form
  const { needsCode, recoveryCodes, verifyUrl, problem } = props
  if (action === null) return verifyUrl === null ? null : <NextStep label={texts.verify} href={verifyUrl} />
  const isWrong = problem === 'anyWrong'
  const codeLabel = recoveryCodes ? texts.anyCode : texts.code
  return (
    <div className="stack">
      <Form action={action} fields={{ csrfToken }}>
        {needsCode && <CodeField name="code" label={codeLabel} isWrong={isWrong} hasFocus={isWrong} />}
        <Button label={label} kind={kind} />
      </Form>
      {hint !== '' && <p className="hint">{hint}</p>}
    </div>
  )
}
