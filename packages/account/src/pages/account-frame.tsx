import { Heading, LinkButton, Notice } from '@postern/pages'
import type { ReactElement, ReactNode } from 'react'
import { LastLink, NextSteps } from '../links.tsx'
import type { FrameProps } from './frame.ts'
import type { TextKey, Texts } from './texts.ts'

interface AccountFrameProps {
  readonly props: FrameProps
  readonly texts: Texts
  readonly title: TextKey
  readonly lead?: TextKey
  /** Why the user has to authenticate. @defaultValue that changes need it */
  readonly verifyHint?: string
  /** Whether the way back is all that is left to do. @defaultValue `false` */
  readonly isEnd?: boolean
  readonly children?: ReactNode
}

/** A page of a section: its title, what has changed, and the way back. */
export function AccountFrame({
  props,
  texts,
  title,
  lead,
  verifyHint,
  isEnd = false,
  children
}: AccountFrameProps): ReactElement {
  const { accountUrl, problem, done, verifyUrl } = props
  return (
    <>
      <Heading text={texts[title]} />
      {lead && <p className="lead">{texts[lead]}</p>}
      {problem && <Notice tone="problem" explanation={{ text: texts[problem], next: '' }} />}
      {done && <Notice tone="success" explanation={{ text: texts[done], next: '' }} />}
      {children}
      {verifyUrl !== null && (
        <div className="stack">
          <p className="hint">{verifyHint ?? texts.verifyText}</p>
          <LinkButton label={texts.verify} href={verifyUrl} />
        </div>
      )}
      {isEnd ? (
        <NextSteps links={[{ label: texts.back, href: accountUrl }]} />
      ) : (
        <LastLink label={texts.back} href={accountUrl} />
      )}
    </>
  )
}
