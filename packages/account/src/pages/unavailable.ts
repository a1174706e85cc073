import type { ActionResult, FeatureRequest, FeatureScreen } from '@postern/core/feature'
import { toLinks } from '../plain-screen.ts'
import { type FrameProps, getFrame } from './frame.ts'
import type { AccountSetup } from './section-parts.ts'
import type { TextKey } from './texts.ts'

/** The page of a user who is not stored. */
export const unavailableScreen: FeatureScreen<FrameProps, TextKey> = {
  name: 'unavailable',
  title: 'unavailable',
  width: 'wide',
  component: async () => (await import('./unavailable-screen.tsx')).UnavailableScreen,
  plain: ({ accountUrl }, texts) => ({
    text: texts.unavailableText,
    links: toLinks([texts.back, accountUrl])
  })
}

/** Shows that the account has no settings: the application names its users, and they are not stored. */
export function showUnavailable(request: FeatureRequest, { context }: AccountSetup): Promise<ActionResult> {
  return request.screen('unavailable', getFrame(request, context), { status: 403 })
}
