import type { Frame } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import { Logo } from './logo.tsx'

interface CardProps {
  readonly frame: Frame
  readonly children: ReactNode
}

/** What a screen stands on, with the application's logo on top. */
export function Card({ frame, children }: CardProps): ReactElement {
  return (
    <div className="card">
      <Logo frame={frame} />
      {children}
    </div>
  )
}
