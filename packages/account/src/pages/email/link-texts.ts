import type { TextKey } from '../texts.ts'
import type { EmailLinkProps } from './props.ts'

/** What a link has done, or why it does nothing. */
export const linkTexts: Readonly<
  Record<EmailLinkProps['reason'], { readonly title: TextKey; readonly text: TextKey }>
> = {
  changed: { title: 'email', text: 'emailChanged' },
  cancelled: { title: 'emailAgree', text: 'emailCancelledText' },
  gone: { title: 'emailGone', text: 'emailGoneText' },
  taken: { title: 'emailTaken', text: 'emailTakenText' }
}
