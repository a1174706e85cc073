import { Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import { LastLink, NextStep } from '../links.tsx'
import { ChangeForm } from './change-form.tsx'
import { describeCodes, getCodesAdvice } from './factor-lines.ts'
import { FactorsNotice } from './factors-notice.tsx'
import type { FactorsProps } from './props.ts'
import type { ScreenProps } from './texts.ts'

/** The recovery codes that the signed-in user has left, which can be replaced. */
export function CodesLeftScreen({ props, texts, csrfToken, context }: ScreenProps<FactorsProps>): ReactElement {
  const { recoveryCodes, codesAction, appUrl, listUrl } = props
  // Codes belong to an app or a passkey.
  const mayHave = props.totp !== null || props.passkeys !== null
  // Without codes, none stop working.
  const hint = recoveryCodes ? texts.createCodesText : ''
  const advice = getCodesAdvice(props, texts)
  return (
    <>
      <Heading text={texts.recoveryCodes} />
      <p className="lead">{texts.recoveryText}</p>
      <FactorsNotice props={props} texts={texts} context={context} />
      <p className="after">{describeCodes(props, texts)}</p>
      {advice !== null && (
        <p>
          <strong>{advice}</strong>
        </p>
      )}
      {mayHave ? (
        <ChangeForm
          action={codesAction}
          label={texts.createCodes}
          hint={hint}
          kind="main"
          props={props}
          texts={texts}
          csrfToken={csrfToken}
        />
      ) : (
        <NextStep label={texts.start} href={appUrl} />
      )}
      <LastLink href={listUrl} label={texts.back} />
    </>
  )
}
