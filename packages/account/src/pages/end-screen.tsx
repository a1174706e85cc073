import type { FeatureScreenProps } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from './account-frame.tsx'
import type { FrameProps } from './frame.ts'
import type { TextKey } from './texts.ts'

/** @returns A page with nothing but a text and the way back. */
export const createEndScreen =
  (title: TextKey, lead: TextKey) =>
  ({ props, texts }: FeatureScreenProps<FrameProps, TextKey>): ReactElement => (
    <AccountFrame props={props} texts={texts} title={title} lead={lead} isEnd={true} />
  )
