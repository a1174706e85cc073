import type { ReactElement } from 'react'
import { type Picture, pictures } from '../logos/pictures.tsx'

interface HeadingProps {
  readonly text: string
  /** The picture above it. */
  readonly picture?: Picture | null
}

/** The one heading of a screen. */
export function Heading({ text, picture = null }: HeadingProps): ReactElement {
  return (
    <>
      {picture && (
        <svg
          className={picture === 'warning' ? 'badge badge-problem' : 'badge'}
          width="48"
          height="48"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          {pictures[picture]}
        </svg>
      )}
      <h1>{text}</h1>
    </>
  )
}
