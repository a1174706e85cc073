import type { FrameProps } from '../frame.ts'

/** The values of the page with the data of the user. */
export interface DataProps extends FrameProps {
  /** `null` if the user has to authenticate first. */
  readonly action: string | null
}
