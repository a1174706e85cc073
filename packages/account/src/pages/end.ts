import type { ActionResult, FeatureRequest, FeatureScreen } from '@postern/core/feature'
import { toLinks } from '../plain-screen.ts'
import { type FrameProps, getFrame } from './frame.ts'
import type { AccountSetup } from './section-parts.ts'
import type { TextKey } from './texts.ts'

/** A page with nothing but a text and the way back. */
export const createEnd = (name: string, title: TextKey, text: TextKey): FeatureScreen<FrameProps, TextKey> => ({
  name,
  title,
  width: 'wide',
  component: async () => (await import('./end-screen.tsx')).createEndScreen(title, text),
  plain: ({ accountUrl }, texts) => ({ text: texts[text], links: toLinks([texts.back, accountUrl]) })
})

/** The page of a user who is not stored. */
export const unavailableScreen: FeatureScreen<FrameProps, TextKey> = createEnd(
  'unavailable',
  'unavailable',
  'unavailableText'
)

/** Shows that the account has no settings: the application names its users, and they are not stored. */
export function showUnavailable(request: FeatureRequest, { context }: AccountSetup): Promise<ActionResult> {
  return request.screen('unavailable', getFrame(request, context), { status: 403 })
}
