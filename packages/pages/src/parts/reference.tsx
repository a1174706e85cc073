import type { ReactElement } from 'react'
import type { Texts } from '../texts/texts.ts'

interface ReferenceProps {
  readonly id: string | null
  readonly texts: Texts
}

/** The correlation id of a log entry, which the user can report to the operators of the site. */
export function Reference({ id, texts }: ReferenceProps): ReactElement | null {
  return id === null ? null : <p className="reference">{texts.reference(id)}</p>
}
