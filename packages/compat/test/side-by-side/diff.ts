/** One place where two values are not the same. */
export interface Difference {
  readonly path: string
  readonly nextAuth: unknown
  readonly postern: unknown
}

/** A difference that is meant, and why. */
export interface ExpectedDifference {
  /** The places that it is about. */
  readonly path: RegExp
  readonly nextAuth?: RegExp
  readonly postern?: RegExp
  readonly reason: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** @returns Every place where the two differ; a field of `undefined` is not a field. */
export function diff(nextAuth: unknown, postern: unknown, path: string = ''): readonly Difference[] {
  if (!isObject(nextAuth) || !isObject(postern) || Array.isArray(nextAuth) !== Array.isArray(postern))
    return Object.is(nextAuth, postern) ? [] : [{ path, nextAuth, postern }]
  const names = new Set([...Object.keys(nextAuth), ...Object.keys(postern)])
  return [...names].flatMap((name) => diff(nextAuth[name], postern[name], path ? `${path}.${name}` : name))
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))

export function isExpectedDifference(
  { path, nextAuth, postern }: Difference,
  expectedDifference: ExpectedDifference
): boolean {
  return (
    expectedDifference.path.test(path) &&
    (expectedDifference.nextAuth?.test(text(nextAuth)) ?? true) &&
    (expectedDifference.postern?.test(text(postern)) ?? true)
  )
}
