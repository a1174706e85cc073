import { Heading, Row, Rows } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../button-form.tsx'
import { LastLink, NextStep } from '../links.tsx'
import { describeApp, describeCodes, getCodesAdvice } from './factor-lines.ts'
import { FactorsNotice } from './factors-notice.tsx'
import type { FactorsProps } from './props.ts'
import type { ScreenProps } from './texts.ts'

/** Lists the second factors of the signed-in user, each with a page of its own. */
export function FactorsScreen({ props, texts, csrfToken, context }: ScreenProps<FactorsProps>): ReactElement {
  const { areFew, startAction, verifyUrl, totp, appUrl, codesUrl, passkeys } = props
  return (
    <>
      <Heading text={texts.section} />
      <p className="lead">{texts.factorsText}</p>
      <FactorsNotice props={props} texts={texts} context={context} />
      <Rows label={texts.section}>
        <Row title={texts.app} href={appUrl} detail={describeApp(props, texts)} />
        <Row
          title={texts.recoveryCodes}
          href={codesUrl}
          detail={[describeCodes(props, texts), getCodesAdvice(props, texts)].filter(Boolean).join(' ')}
          isWarning={areFew}
        />
        {passkeys && (
          <Row
            title={texts.passkeys}
            href={passkeys.url}
            badge={String(passkeys.count)}
            detail={passkeys.areAsked ? null : texts.passkeysNotAsked}
          />
        )}
      </Rows>
      {startAction !== null && (
        <div className="stack">
          <ButtonForm action={startAction} fields={{ csrfToken }} label={texts.start} />
        </div>
      )}
      {totp === null && verifyUrl !== null && <NextStep label={texts.verify} href={verifyUrl} />}
      {areFew && <NextStep label={texts.createCodes} href={codesUrl} kind={totp === null ? 'plain' : 'main'} />}
      <LastLink href={props.accountUrl} label={texts.toAccount} />
    </>
  )
}
