/** Creates a function that selects the rows that expire last; all without a limit. */
export function latest(limit: number | undefined) {
  return <Row extends { readonly expires: Date }>(rows: readonly Row[]): readonly Row[] =>
    limit === undefined
      ? rows
      : rows.toSorted((one, other) => other.expires.getTime() - one.expires.getTime()).slice(0, limit)
}
