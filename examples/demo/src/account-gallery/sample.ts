/** A screen of a feature with sample values. */
export interface ScreenSample {
  readonly screen: string
  readonly props: Values
}

/** The screens of a feature, in each state, by name. Their forms do not submit anything. */
export type ScreenSamples = Readonly<Record<string, ScreenSample>>

type Values = Readonly<Record<string, unknown>>

/** Creates samples of one screen, which differ in some values. */
export const createSample =
  (screen: string, props: Values) =>
  (change: Values = {}): ScreenSample => ({ screen, props: { ...props, ...change } })
