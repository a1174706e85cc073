import { type FeatureScreenProps, formatExact, Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import { NextStep } from '../../links.tsx'
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
      <NextStep label={texts.toSite.replace('{site}', siteName)} href={siteUrl} />
    </>
  )
}
