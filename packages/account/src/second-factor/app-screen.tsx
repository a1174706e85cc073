import { Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import { LastLink } from '../links.tsx'
import { ChangeForm } from './change-form.tsx'
import { describeApp, describeRemoval } from './factor-lines.ts'
import { FactorsNotice } from './factors-notice.tsx'
import type { FactorsProps } from './props.ts'
import type { ScreenProps } from './texts.ts'

/** The authenticator app of the signed-in user: sets one up, or removes it. */
export function AppScreen({ props, texts, csrfToken, context }: ScreenProps<FactorsProps>): ReactElement {
  const { totp, startAction, removeAction, listUrl } = props
  const change =
    totp === null
      ? { action: startAction, label: texts.start, hint: texts.factorsText, kind: 'main' as const }
      : { action: removeAction, label: texts.remove, hint: describeRemoval(props, texts), kind: 'danger' as const }
  return (
    <>
      <Heading text={texts.app} />
      <p className="lead">{describeApp(props, texts)}</p>
      <FactorsNotice props={props} texts={texts} context={context} />
      <ChangeForm {...change} props={props} texts={texts} csrfToken={csrfToken} />
      <LastLink href={listUrl} label={texts.back} />
    </>
  )
}
