import type { ReactElement } from 'react'
import type { Explanation } from '../texts/texts.ts'

/** The id of a screen's notice, which the affected field references as its description. */
export const noticeId = 'notice'

interface NoticeProps {
  readonly explanation: Explanation
  /** A problem that the user can solve, or information. */
  readonly tone: 'problem' | 'calm'
}

/** Explains what happened, and what to do next. */
export function Notice({ explanation: { text, next }, tone }: NoticeProps): ReactElement {
  return (
    <div className={tone === 'problem' ? 'notice notice-problem error' : 'notice error'} id={noticeId} role="alert">
      <p>
        <strong>{text}</strong> {next}
      </p>
    </div>
  )
}
