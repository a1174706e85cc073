/** One place where two values are not the same. */
export interface Difference {
  readonly path: string
  readonly theirs: unknown
  readonly ours: unknown
}

/** A difference that is meant, and why. */
export interface Meant {
  /** The places that it is about. */
  readonly path: RegExp
  readonly theirs?: RegExp
  readonly ours?: RegExp
  readonly reason: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** @returns Every place where the two differ; a field of `undefined` is no field. */
export function diff(theirs: unknown, ours: unknown, path: string = ''): readonly Difference[] {
  if (!isObject(theirs) || !isObject(ours) || Array.isArray(theirs) !== Array.isArray(ours))
    return Object.is(theirs, ours) ? [] : [{ path, theirs, ours }]
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)])
  return [...names].flatMap((name) => diff(theirs[name], ours[name], path ? `${path}.${name}` : name))
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))

export function isMeant({ path, theirs, ours }: Difference, meant: Meant): boolean {
  return meant.path.test(path) && (meant.theirs?.test(text(theirs)) ?? true) && (meant.ours?.test(text(ours)) ?? true)
}
