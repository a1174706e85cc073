import { Button, Field, Form, Heading, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../button-form.tsx'
import { Links } from '../links.tsx'
import { describePasskey } from './describe-passkey.ts'
import { maxNameLength } from './passkey-name.ts'
import type { PasskeyProps } from './props.ts'
import type { ScreenProps } from './texts.ts'

/** Renames and removes one passkey. */
export function PasskeyScreen({ props, texts, csrfToken }: ScreenProps<PasskeyProps>): ReactElement {
  const { passkey, renameAction, removeAction, listUrl, problem } = props
  const isWrong = problem === 'nameMissing'
  const input = {
    autoFocus: isWrong,
    name: 'name',
    defaultValue: passkey.name,
    required: true,
    maxLength: maxNameLength,
    autoComplete: 'off'
  }
  return (
    <>
      <Heading text={passkey.name || texts.name} />
      <p className="lead">{describePasskey(passkey, texts)}</p>
      {problem && <Notice tone="problem" explanation={{ text: texts[problem], next: '' }} />}
      <div className="stack">
        <Form action={renameAction} fields={{ csrfToken }}>
          <Field id="name" label={texts.label} isExplained={isWrong} isWrong={isWrong} input={input} />
          <Button label={texts.save} />
        </Form>
      </div>
      <div className="stack">
        <ButtonForm action={removeAction} fields={{ csrfToken }} label={texts.remove} kind="plain" />
        <p className="hint">{texts.removeText}</p>
      </div>
      <Links links={[{ label: texts.back, href: listUrl }]} />
    </>
  )
}
