import { type FeatureScreenProps, Heading, LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'
import type { TextKey } from '../texts.ts'
import type { DeletedProps } from './props.ts'

/** Says that the account was deleted. */
export function DeletedScreen({ props, texts }: FeatureScreenProps<DeletedProps, TextKey>): ReactElement {
  return (
    <>
      <Heading text={texts.deleted} />
      <p className="lead">{texts.deletedText}</p>
      <div className="stack">
        <LinkButton label={texts.toSite.replace('{site}', props.siteName)} href={props.siteUrl} />
      </div>
    </>
  )
}
