import type { FeatureScreenProps } from '@postern/pages'
import { Button, Field, Form, Heading, Notice } from '@postern/pages'
import type { TextKey } from './texts.ts'

/** The values of the screen: a form with one field. `title`, `text` and `problem` are keys of texts. */
export interface FormProps {
  readonly action: string
  readonly field: 'pin' | 'pass'
  readonly title: TextKey
  readonly text: TextKey
  readonly problem: TextKey | null
}

export function FormScreen({ props, texts, csrfToken }: FeatureScreenProps<FormProps, TextKey>) {
  const { action, field, title, text, problem } = props
  const isWrong = problem !== null
  const input = { name: field, type: 'password', autoComplete: 'off' }
  return (
    <>
      <Heading text={texts[title]} />
      <p className="lead">{texts[text]}</p>
      {isWrong && <Notice explanation={{ text: texts[problem], next: '' }} tone="problem" />}
      <div className="stack">
        <Form action={action} fields={{ csrfToken }}>
          <Field id="input" label={texts[field]} isExplained={isWrong} isWrong={isWrong} input={input} />
          <Button label={texts.continue} />
        </Form>
      </div>
    </>
  )
}
