import type { FeatureScreenProps } from '@postern/pages'
import { Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import type { TextKey } from './texts.ts'

/** For users who are not stored: they have no passkeys. */
export function UnavailableScreen({ texts }: FeatureScreenProps<object, TextKey>): ReactElement {
  return (
    <>
      <Heading text={texts.unavailable} />
      <p className="lead">{texts.unavailableText}</p>
    </>
  )
}
