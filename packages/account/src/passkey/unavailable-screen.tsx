import { Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import { NextSteps } from '../links.tsx'
import type { UnavailableProps } from './props.ts'
import type { ScreenProps } from './texts.ts'

/** For users who are not stored: they have no passkeys. */
export function UnavailableScreen({ props, texts }: ScreenProps<UnavailableProps>): ReactElement {
  return (
    <>
      <Heading text={texts.unavailable} />
      <p className="lead">{texts.unavailableText}</p>
      <NextSteps links={[{ label: props.hasAccountPage ? texts.toAccount : texts.continue, href: props.backUrl }]} />
    </>
  )
}
