import type { FrameProps } from '../frame.ts'

/** A security event, as the user sees it. */
export interface Activity {
  readonly id: string
  readonly type: string
  /** ISO 8601. */
  readonly time: string
  readonly address: string | null
  /** Such as `Firefox (Linux)`. */
  readonly device: string | null
  /** The name of the provider in English. */
  readonly provider: string | null
  /** The key of its name in the texts of the screen. */
  readonly providerText: string | null
}

/** The values of the page of recent activity. */
export interface ActivityProps extends FrameProps {
  readonly events: readonly Activity[]
  readonly olderUrl: string | null
  /** The first page; `null` on it. */
  readonly newestUrl: string | null
}
