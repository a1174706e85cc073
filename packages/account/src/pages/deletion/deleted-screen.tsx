import { type FeatureScreenProps, Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import { NextStep } from '../../links.tsx'
import type { TextKey } from '../texts.ts'
import type { DeletedProps } from './props.ts'

/** Says that the account was deleted. */
export function DeletedScreen({ props, texts }: FeatureScreenProps<DeletedProps, TextKey>): ReactElement {
  return (
    <>
      <Heading text={texts.deleted} />
      <p className="lead">{texts.deletedText}</p>
      <NextStep label={texts.toSite.replace('{site}', props.siteName)} href={props.siteUrl} />
    </>
  )
}
