import type { ReactElement } from 'react'
import { AccountFrame } from './account-frame.tsx'
import type { FrameProps } from './frame.ts'
import type { ScreenProps, TextKey } from './texts.ts'

/** @returns A page with nothing but a text and the way back. */
export const createEndScreen =
  (title: TextKey, lead: TextKey) =>
  ({ props, texts }: ScreenProps<FrameProps>): ReactElement => (
    <AccountFrame props={props} texts={texts} title={title} lead={lead} isEnd={true} />
  )
