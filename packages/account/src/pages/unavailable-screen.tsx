import type { FeatureScreenProps } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from './account-frame.tsx'
import type { FrameProps } from './frame.ts'
import type { TextKey } from './texts.ts'

/** Says that the account has no settings. */
export function UnavailableScreen({ props, texts }: FeatureScreenProps<FrameProps, TextKey>): ReactElement {
  return <AccountFrame props={props} texts={texts} title="unavailable" lead="unavailableText" isEnd={true} />
}
