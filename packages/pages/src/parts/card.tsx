import type { PageContext } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import { LinkedLogo, Logo } from './logo.tsx'

interface CardProps {
  readonly context: PageContext
  /** Whether the logo leads to the application. @defaultValue `false` */
  readonly linksHome?: boolean
  readonly children: ReactNode
}

/** The container of a screen, with the application's logo at the top. */
export function Card({ context, linksHome = false, children }: CardProps): ReactElement {
  return (
    <div className="card">
      {linksHome ? <LinkedLogo context={context} /> : <Logo context={context} />}
      {children}
    </div>
  )
}
