/** Returns the edit distance of two words, up to a limit. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const [above = 0, diagonal = 0, before = 0] = [previous[column], previous[column - 1], current[column - 1]]
      current.push(Math.min(above + 1, before + 1, diagonal + (isSame ? 0 : 1)))
    }
    previous = current
  }
  return previous[right.length] ?? 0
}

/** @returns The known name that is most similar to `name`, or `null` if none is similar. */
export function suggest(name: string, known: readonly string[]): string | null {
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits)
  return best && best.edits <= Math.max(2, Math.floor(name.length / 3)) ? best.candidate : null
}
