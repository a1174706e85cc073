import type { FrameProps } from '../frame.ts'

/** A session, as its owner sees it: the page calls it a device. */
export interface ShownSession {
  readonly id: string
  /** Such as `Firefox (Linux)`; `null` if the browser is unknown. */
  readonly name: string | null
  readonly address: string | null
  /** The name of the provider that it was signed in with. */
  readonly provider: string | null
  /** ISO 8601. */
  readonly createdAt: string | null
  /** ISO 8601. */
  readonly lastSeen: string | null
  readonly isCurrent: boolean
  /** Whether an administrator impersonates the user in it; then nothing else about its client is known. */
  readonly isImpersonation: boolean
}

/** The values of the page of devices. */
export interface DevicesProps extends FrameProps {
  /** The sessions of the user. */
  readonly devices: readonly ShownSession[]
  /** Whether there are more than those. */
  readonly hasMore: boolean
  readonly endAction: string
  readonly endOthersAction: string
}
