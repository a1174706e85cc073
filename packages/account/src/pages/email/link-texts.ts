import type { TextKey } from '../texts.ts'
import type { EmailLinkProps } from './props.ts'

/** The texts of a link that is of no use here. */
export const linkTexts: Readonly<
  Record<EmailLinkProps['reason'], { readonly title: TextKey; readonly text: TextKey }>
> = {
  elsewhere: { title: 'emailElsewhere', text: 'emailElsewhereText' },
  gone: { title: 'emailGone', text: 'emailGoneText' },
  taken: { title: 'emailTaken', text: 'emailTakenText' },
  undone: { title: 'emailUndone', text: 'emailUndoneText' }
}
