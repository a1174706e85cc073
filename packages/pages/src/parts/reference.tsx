import type { ReactElement } from 'react'
import type { Texts } from '../texts/texts.ts'

interface ReferenceProps {
  readonly id: string | null
  readonly texts: Texts
}

/** The id under which the log knows of what happened, to be read out to the people who run the site. */
export function Reference({ id, texts }: ReferenceProps): ReactElement | null {
  return id === null ? null : <p className="reference">{texts.reference(id)}</p>
}
