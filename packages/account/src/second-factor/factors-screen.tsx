import type { FeatureScreenProps } from '@postern/pages'
import { Button, Form, Heading, LinkButton, Row, Rows } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountLink } from '../account-link.tsx'
import { describeApp, describeCodes, getCodesAdvice } from './factor-lines.ts'
import { FactorsNotice } from './factors-notice.tsx'
import type { FactorsProps } from './props.ts'
import type { TextKey } from './texts.ts'

/** Lists the second factors of the signed-in user, each with a page of its own. */
export function FactorsScreen({
  props,
  texts,
  csrfToken,
  context
}: FeatureScreenProps<FactorsProps, TextKey>): ReactElement {
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
          <Form action={startAction} fields={{ csrfToken }}>
            <Button label={texts.start} />
          </Form>
        </div>
      )}
      {totp === null && verifyUrl !== null && (
        <div className="stack">
          <LinkButton label={texts.verify} href={verifyUrl} />
        </div>
      )}
      {areFew && (
        <div className="stack">
          <LinkButton label={texts.createCodes} href={codesUrl} kind={totp === null ? 'plain' : 'main'} />
        </div>
      )}
      <AccountLink href={props.accountUrl} label={texts.toAccount} />
    </>
  )
}
