import type { PageContext } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import { Logo } from './logo.tsx'

interface CardProps {
  readonly context: PageContext
  readonly children: ReactNode
}

/** The container of a screen, with the application's logo at the top. */
export function Card({ context, children }: CardProps): ReactElement {
  return (
    <div className="card">
      <Logo context={context} />
      {children}
    </div>
  )
}
