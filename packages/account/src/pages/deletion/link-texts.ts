import type { TextKey } from '../texts.ts'
import type { DeletionLinkProps } from './props.ts'

/** What a link has done, or why it does nothing. */
export const linkTexts: Readonly<
  Record<DeletionLinkProps['reason'], { readonly title: TextKey; readonly text: TextKey }>
> = {
  cancelled: { title: 'event-deletion-cancelled', text: 'deletionCancelled' },
  gone: { title: 'emailGone', text: 'emailGoneText' }
}
