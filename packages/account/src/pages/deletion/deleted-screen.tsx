import { formatExact, Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import { NextStep } from '../../links.tsx'
import type { ScreenProps } from '../texts.ts'
import type { DeletedProps, DeletionScheduledProps } from './props.ts'

/** Says that the account was deleted, or when it is deleted, and how to keep it. */
export function DeletedScreen({ props, texts }: ScreenProps<DeletedProps | DeletionScheduledProps>): ReactElement {
  const time = 'deleteAt' in props ? formatExact({ time: props.deleteAt, locale: texts.locale }) : null
  return (
    <>
      <Heading text={time === null ? texts.deleted : texts.deletionScheduled} />
      <p className="lead">{time === null ? texts.deletedText : texts.deletionScheduledText.replace('{time}', time)}</p>
      <NextStep label={texts.toSite.replace('{site}', props.siteName)} href={props.siteUrl} />
    </>
  )
}
