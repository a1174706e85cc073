import { Button, Field, Form, Heading, Identity, Notice } from '@postern/pages'
import { Fragment, type ReactElement } from 'react'
import { ButtonForm } from '../button-form.tsx'
import { LinkForm, LinkItem, NextStep } from '../links.tsx'
import { CodeField } from '../mail/code-field.tsx'
import { type RequestOptions, toCredentialFields } from '../passkey/ceremony-options.ts'
import { explainUse, Failure } from '../passkey/failure.tsx'
import { canFocus } from './field-focus.ts'
import { getChallengeLead } from './leads.ts'
import type { ChallengeProps } from './props.ts'
import type { ScreenProps, Texts } from './texts.ts'

interface PartProps {
  readonly props: ChallengeProps
  readonly texts: Texts
  readonly csrfToken: string
}

/** The days in words, such as `1 day`: languages have several plural forms. */
function formatDays(days: number, { locale }: PartProps['texts']): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}

function TrustField({ id, props, texts }: { readonly id: string } & Omit<PartProps, 'csrfToken'>): ReactElement | null {
  const { trustDays, isTrustChosen } = props
  if (trustDays === 0) return null
  const label = texts.trust.replace('{days}', formatDays(trustDays, texts))
  return (
    <Field
      id={id}
      label={label}
      isExplained={false}
      isWrong={false}
      input={{ type: 'checkbox', name: 'trust', value: 'yes', defaultChecked: isTrustChosen }}
    />
  )
}

function TotpForm({ props, texts, csrfToken }: PartProps): ReactElement {
  const { action, digits, mail, mailCode, isTrustChosen, problem } = props
  if (mail === 'send')
    return (
      <ButtonForm
        action={action}
        fields={{ csrfToken, send: 'mail', ...(isTrustChosen && { trust: 'yes' }) }}
        label={texts.mailSend}
      />
    )
  return (
    <Form action={action} fields={{ csrfToken }}>
      {mail === 'sent' && (
        <CodeField
          name="mailCode"
          label={texts.mailCode}
          isWrong={problem === 'mailWrong'}
          hasFocus={mailCode === null && canFocus(problem, 'mailWrong')}
          {...(mailCode !== null && { value: mailCode })}
        />
      )}
      <CodeField
        name="code"
        label={texts.code}
        hint={texts.codeHint.replace('{digits}', String(digits))}
        isWrong={problem === 'codeWrong'}
        hasFocus={(mail === 'none' || mailCode !== null) && canFocus(problem, 'codeWrong')}
        isNumeric={true}
      />
      <TrustField id="trust" props={props} texts={texts} />
      <Button label={texts.continue} kind={problem === 'recoveryWrong' ? 'plain' : 'main'} />
    </Form>
  )
}

/** The script shows it, or says that the browser does not support passkeys. */
function PasskeyForm({ options, props, texts, csrfToken }: PartProps & { readonly options: RequestOptions }) {
  const { action, methods, problem } = props
  return (
    <>
      <div hidden={true} data-passkey-if="supported">
        <div className="stack">
          <Form action={action} fields={{ csrfToken, ...toCredentialFields(options) }}>
            <Failure explanations={explainUse(texts)} />
            <TrustField id="trust-passkey" props={props} texts={texts} />
            <Button
              label={texts.usePasskey}
              kind={methods.includes('totp') || problem === 'recoveryWrong' ? 'plain' : 'main'}
            />
          </Form>
        </div>
      </div>
      <p className="hint" hidden={true} data-passkey-if="unsupported">
        {texts.needsScript}
      </p>
      <noscript>
        <p className="hint">{texts.needsScript}</p>
      </noscript>
    </>
  )
}

/** Folded if there is another way. */
function RecoveryForm({ props, texts, csrfToken }: PartProps): ReactElement {
  const { action, methods, problem } = props
  const isWrong = problem === 'recoveryWrong'
  const isOnly = methods.length === 1
  const form = (
    <Form action={action} fields={{ csrfToken }}>
      <CodeField
        name="recoveryCode"
        label={texts.recoveryCode}
        hint={texts.recoveryHint}
        isWrong={isWrong}
        hasFocus={isWrong || (isOnly && problem === null)}
      />
      <Button label={texts.continue} kind={isOnly || isWrong ? 'main' : 'plain'} />
    </Form>
  )
  if (isOnly) return <div className="stack">{form}</div>
  return (
    <div className="stack">
      <details className="fold" open={isWrong}>
        <summary>{texts.useRecoveryCode}</summary>
        <div className="stack">{form}</div>
      </details>
    </div>
  )
}

/** The ways out: help, another account, and the end of the sign-in. */
function WaysOut({ props, texts, csrfToken }: PartProps): ReactElement {
  const { methods, cancelAction, lostUrl, mayChangeAccount } = props
  return (
    <ul className="links">
      <LinkItem label={methods.includes('recovery-code') ? texts.lost : texts.lostFactor} href={lostUrl} />
      {mayChangeAccount && <LinkForm action={cancelAction} csrfToken={csrfToken} label={texts.anotherAccount} />}
      <LinkForm
        action={cancelAction}
        csrfToken={csrfToken}
        label={mayChangeAccount && methods.length === 0 ? texts.signIn : texts.cancel}
      />
    </ul>
  )
}

/** Asks for a second factor. Everything except passkeys works without JavaScript. */
export function ChallengeScreen({ props, texts, csrfToken, context }: ScreenProps<ChallengeProps>): ReactElement {
  const { account, methods, passkeyOptions, problem } = props
  const part = { props, texts, csrfToken }
  const { support } = context.theme.links
  const recovery = methods.includes('recovery-code') && <RecoveryForm key="recovery" {...part} />
  const others = (
    <Fragment key="others">
      {methods.includes('totp') && (
        <div className="stack">
          <TotpForm {...part} />
        </div>
      )}
      {passkeyOptions && <PasskeyForm options={passkeyOptions} {...part} />}
    </Fragment>
  )
  return (
    <>
      <Heading text={texts.challenge} />
      <p className="lead">{texts[getChallengeLead(props)]}</p>
      {problem && <Notice tone="problem" explanation={{ text: texts[problem], next: '' }} />}
      {account !== null && <Identity name={account} />}
      {problem === 'recoveryWrong' ? [recovery, others] : [others, recovery]}
      {methods.length === 0 && support !== '' && <NextStep label={texts.support} href={support} />}
      <WaysOut {...part} />
    </>
  )
}
