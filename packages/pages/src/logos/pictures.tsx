import type { ReactElement } from 'react'

/** The picture above the heading of a screen. */
export type Picture = 'mail' | 'warning' | 'clock' | 'person' | 'done'

/** Line drawings with a view box of 24 by 24. */
export const pictures: { readonly [P in Picture]: ReactElement } = {
  mail: (
    <>
      <rect x="2.5" y="5" width="19" height="14" rx="2.5" />
      <path d="m3.5 7 8.5 6.5L20.5 7" />
    </>
  ),
  warning: (
    <>
      <circle cx="12" cy="12" r="9.5" />
      <path d="M12 7.25v5.5m0 3.5v.01" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="9.5" />
      <path d="M12 6.75V12l3.5 2" />
    </>
  ),
  person: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20.5a7.75 7.75 0 0 1 15 0" />
    </>
  ),
  done: (
    <>
      <circle cx="12" cy="12" r="9.5" />
      <path d="m7.75 12.5 3 3 5.5-6.5" />
    </>
  )
}
