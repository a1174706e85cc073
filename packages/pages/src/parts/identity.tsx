import type { ReactElement } from 'react'

interface IdentityProps {
  readonly name: string
  readonly detail?: string | null
}

/** A user's name or address, isolated from the surrounding text direction. A long one is cut after some lines. */
export function Identity({ name, detail = null }: IdentityProps): ReactElement {
  return (
    <p className="identity">
      <svg
        width="28"
        height="28"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        aria-hidden="true"
      >
        <circle cx="12" cy="12" r="10" />
        <circle cx="12" cy="9.5" r="3.25" />
        <path d="M5.6 19.2a7 7 0 0 1 12.8 0" strokeLinecap="round" />
      </svg>
      <span>
        <bdi title={name}>{name}</bdi>
        {detail !== null && <bdi title={detail}>{detail}</bdi>}
      </span>
    </p>
  )
}
