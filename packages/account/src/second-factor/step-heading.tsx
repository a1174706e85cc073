import { Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import type { Texts } from './texts.ts'

interface StepHeadingProps {
  /** One of three; `null` for a page that is none of them. */
  readonly step: 1 | 2 | 3 | null
  readonly text: string
  readonly texts: Texts
}

/** The heading of a step of an enrollment. */
export function StepHeading({ step, text, texts }: StepHeadingProps): ReactElement {
  return (
    <>
      {step !== null && <p className="step">{texts.step.replace('{step}', String(step))}</p>}
      <Heading text={text} />
    </>
  )
}
