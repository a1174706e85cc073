import type { FrameProps } from '../frame.ts'

/** The values of the page of the profile. */
export interface ProfileProps extends FrameProps {
  readonly name: string
  /** `null` if the user has to authenticate first. */
  readonly action: string | null
}
