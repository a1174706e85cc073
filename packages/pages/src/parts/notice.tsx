import type { ReactElement } from 'react'
import type { Explanation } from '../texts/texts.ts'

/** The one notice of a screen; a field that it is about names it as its description. */
export const noticeId = 'notice'

interface NoticeProps {
  readonly explanation: Explanation
  /** A problem that the visitor can mend, or something to know. */
  readonly tone: 'problem' | 'calm'
}

/** Says what happened, and what to do next. */
export function Notice({ explanation: { text, next }, tone }: NoticeProps): ReactElement {
  return (
    <div className={tone === 'problem' ? 'notice notice-problem error' : 'notice error'} id={noticeId} role="alert">
      <p>
        <strong>{text}</strong> {next}
      </p>
    </div>
  )
}
