import type { ReactElement } from 'react'
import type { Explanation } from '../texts/texts.ts'

/** The id of a screen's notice, which the affected field references as its description. */
export const noticeId = 'notice'

interface NoticeProps {
  readonly explanation: Explanation
  /** A problem that the user can solve, information, or what has been changed. */
  readonly tone: 'problem' | 'calm' | 'success'
}

const classes = {
  problem: 'notice notice-problem error',
  calm: 'notice error',
  success: 'notice notice-success'
} as const

/** Explains what happened, and what to do next. */
export function Notice({ explanation: { text, next }, tone }: NoticeProps): ReactElement {
  return (
    <div className={classes[tone]} id={noticeId} role={tone === 'success' ? 'status' : 'alert'}>
      <p>
        <strong>{text}</strong> {next}
      </p>
    </div>
  )
}
