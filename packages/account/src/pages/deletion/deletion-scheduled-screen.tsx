import { type FeatureScreenProps, formatExact, Heading, LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'
import type { TextKey } from '../texts.ts'
import type { DeletionScheduledProps } from './props.ts'

/** Says when the account is deleted, and how to keep it. */
export function DeletionScheduledScreen({
  props,
  texts
}: FeatureScreenProps<DeletionScheduledProps, TextKey>): ReactElement {
  const { deleteAt, siteName, siteUrl } = props
  const time = formatExact({ time: deleteAt, locale: texts.locale })
  return (
    <>
      <Heading text={texts.deletionScheduled} />
      <p className="lead">{texts.deletionScheduledText.replace('{time}', time)}</p>
      <div className="stack">
        <LinkButton label={texts.toSite.replace('{site}', siteName)} href={siteUrl} />
      </div>
    </>
  )
}
