import { type ActionResult, type FeatureContext, type FeatureRequest, getText, redirect } from '@postern/core/feature'
import { getAccountUrl } from '../account-url.ts'
import type { TextKey } from './texts.ts'

/** What every page of a section shows. */
export interface FrameProps {
  readonly accountUrl: string
  /** Why the last form was refused. */
  readonly problem: TextKey | null
  /** What the last form has changed. */
  readonly done: TextKey | null
  /** Where the user authenticates before changes; `null` if they did so recently. */
  readonly verifyUrl: string | null
  /** The current time, in ISO 8601. */
  readonly now: string
}

/** The messages about a change, which the redirect after it names. */
const doneKeys: readonly TextKey[] = [
  'profileSaved',
  'emailChanged',
  'emailConfirmed',
  'emailCancelled',
  'accountConnected',
  'accountRemoved',
  'deviceEnded',
  'devicesEnded',
  'deletionCancelled'
]

export function getFrame(
  request: FeatureRequest,
  context: FeatureContext,
  { problem = null, verifyUrl = null }: Partial<Pick<FrameProps, 'problem' | 'verifyUrl'>> = {}
): FrameProps {
  const named = getText(request.query, 'done')
  const done = problem === null ? (doneKeys.find((key) => key === named) ?? null) : null
  return {
    accountUrl: getAccountUrl(context) ?? `${request.basePath}/account`,
    problem,
    done,
    verifyUrl,
    now: new Date(context.now()).toISOString()
  }
}

/** Goes back to a page of a section, which says what has changed. */
export function toPage({ origin, basePath }: FeatureRequest, path: string, done: TextKey): ActionResult {
  return redirect(`${origin}${basePath}${path}?${new URLSearchParams({ done })}`)
}
