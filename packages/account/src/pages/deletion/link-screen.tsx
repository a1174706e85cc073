import type { FeatureScreenProps } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from '../account-frame.tsx'
import type { TextKey } from '../texts.ts'
import { linkTexts } from './link-texts.ts'
import type { DeletionLinkProps } from './props.ts'

/** Says that a link has kept the account, or why it does nothing. */
export function DeletionLinkScreen({ props, texts }: FeatureScreenProps<DeletionLinkProps, TextKey>): ReactElement {
  const { title, text } = linkTexts[props.reason]
  return <AccountFrame props={props} texts={texts} title={title} lead={text} isEnd={true} />
}
