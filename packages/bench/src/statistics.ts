/** The statistics of a series of figures. */
export interface Summary {
  readonly median: number
  readonly low: number
  readonly high: number
}

/**
 * The value below which a share of the figures lies, between two figures where it falls between them.
 *
 * @param share - From 0 to 1.
 * @throws RangeError no figures, or no such share.
 */
export function quantile(figures: readonly number[], share: number): number {
  if (figures.length === 0) throw new RangeError('expected at least one figure')
  if (!(share >= 0 && share <= 1)) throw new RangeError(`expected a share from 0 to 1, got ${share}`)
  const sorted = figures.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

/** The middle figure: one slice that the machine spoilt does not move it. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5)
}

/** The middle figure, with the lowest and the highest. */
export function summarize(figures: readonly number[]): Summary {
  return { median: median(figures), low: quantile(figures, 0), high: quantile(figures, 1) }
}

/**
 * How many times as much as the floor, round by round: what slows one round slows both.
 *
 * @throws RangeError series of different lengths.
 */
export function ratios(figures: readonly number[], floor: readonly number[]): number[] {
  if (figures.length !== floor.length) throw new RangeError('expected as many figures as there are of the floor')
  return figures.map((figure, round) => figure / (floor[round] ?? Number.NaN))
}
