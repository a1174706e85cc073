import type { FeatureScreenProps } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from '../account-frame.tsx'
import type { TextKey } from '../texts.ts'
import { linkTexts } from './link-texts.ts'
import type { EmailLinkProps } from './props.ts'

/** Says why a link changes nothing, or what it has changed. */
export function EmailLinkScreen({ props, texts }: FeatureScreenProps<EmailLinkProps, TextKey>): ReactElement {
  const { title, text } = linkTexts[props.reason]
  return <AccountFrame props={props} texts={texts} title={title} lead={text} isEnd={true} />
}
