import type { ReactElement } from 'react'
import { pictures } from '../logos/pictures.tsx'
import { safeContactLink } from '../safe-link.ts'
import type { Explanation } from '../texts/texts.ts'

/** The id of a screen's notice, which the affected field references as its description. */
export const noticeId = 'notice'

interface NoticeProps {
  readonly explanation: Explanation
  /** A problem that the user can solve, information, or what has been changed. */
  readonly tone: 'problem' | 'calm' | 'success'
  /** What helps, after the text. @defaultValue none */
  readonly link?: { readonly href: string; readonly label: string } | null
}

const classes = {
  problem: 'notice notice-problem error',
  calm: 'notice error',
  success: 'notice notice-success'
} as const

/** Marks what went wrong, for those who do not see its color. */
export function WarningIcon(): ReactElement {
  return (
    <svg
      className="notice-icon"
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      {pictures.warning}
    </svg>
  )
}

/** Whether a page says that something went wrong: in a {@link Notice}, or beside a field. A script may add what a template has. */
export function hasProblem(markup: string): boolean {
  const [first, ...others] = markup.split('<template')
  const shown = [first, ...others.map((part) => part.slice(part.indexOf('</template>')))].join('')
  return shown.includes(`class="${classes.problem}"`) || shown.includes('aria-invalid="true"')
}

/** Explains what happened, and what to do next. */
export function Notice({ explanation: { text, next }, tone, link = null }: NoticeProps): ReactElement {
  return (
    <div className={classes[tone]} id={noticeId} role={tone === 'success' ? 'status' : 'alert'}>
      {tone === 'problem' && <WarningIcon />}
      <p>
        <strong>{text}</strong> {next}
        {link && (
          <>
            {' '}
            <a className="link" href={safeContactLink(link.href) ?? '/'}>
              {link.label}
            </a>
          </>
        )}
      </p>
    </div>
  )
}
