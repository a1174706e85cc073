type Point = readonly [x: number, y: number]

/** How many numbers each command of an SVG path takes. */
const lengths: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 }
const command = /([a-z])([^a-z]*)/gi
const flag = String.raw`\s*,?\s*([01])`
const number = String.raw`\s*,?\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)`
const plain = new RegExp(number, 'gi')
const arc = new RegExp(`${number}${number}${number}${flag}${flag}${number}${number}`, 'gi')

/** Each command of a path with its numbers, one by one. */
function* getSteps(path: string): Generator<readonly [name: string, numbers: readonly number[]]> {
  for (const [, name = '', rest = ''] of path.matchAll(command)) {
    const kind = name.toLowerCase()
    const length = lengths[kind]
    if (length === undefined) throw new Error(`no command of a path: ${name}`)
    if (length === 0) yield [name, []]
    const found =
      kind === 'a'
        ? [...rest.matchAll(arc)].flatMap((match) => match.slice(1))
        : [...rest.matchAll(plain)].map(([, n]) => n)
    const numbers = found.map(Number)
    for (let at = 0; at < numbers.length; at += length || 1) {
      // What follows a move without a command is a line.
      const next = at > 0 && kind === 'm' ? (name === 'm' ? 'l' : 'L') : name
      yield [next, numbers.slice(at, at + length)]
    }
  }
}

/** Writes numbers as short as a path may have them. */
function written(numbers: readonly number[], digits: number): string {
  return numbers
    .map((value) => String(Number(value.toFixed(digits))).replace(/^(-?)0\./, '$1.'))
    .reduce((text, next) => text + (isApart(text, next) ? '' : ' ') + next, '')
}

/** Whether a number can follow without a space. */
function isApart(text: string, next: string): boolean {
  return text === '' || next.startsWith('-') || (next.startsWith('.') && /\.\d*$/.test(text))
}

/** Where a path is: as it was drawn, and as it is written. */
interface Pen {
  readonly exact: Point
  readonly written: Point
}

type Axis = 'x' | 'y' | null

/** Which axis a number of a command lies on; `null` for what is no place. */
function getAxis(kind: string, index: number): Axis {
  if (kind === 'h') return 'x'
  if (kind === 'v') return 'y'
  if (kind === 'a') return index < 5 ? null : index === 5 ? 'x' : 'y'
  return index % 2 === 0 ? 'x' : 'y'
}

const along = ([x, y]: Point, axis: Axis): number => (axis === 'x' ? x : axis === 'y' ? y : 0)

function moved(kind: string, absolute: readonly number[], [x, y]: Point): Point {
  const [first = 0] = absolute
  if (kind === 'h') return [first, y]
  if (kind === 'v') return [x, first]
  return [absolute.at(-2) ?? 0, absolute.at(-1) ?? 0]
}

/**
 * Writes a path with fewer digits.
 *
 * Every point is rounded where it lies, so errors do not add up along the path.
 */
export function shortened(path: string, digits: number): string {
  const round = (value: number): number => Number(value.toFixed(digits))
  let pen: Pen = { exact: [0, 0], written: [0, 0] }
  let start = pen
  let text = ''
  let last = ''
  for (const [name, numbers] of getSteps(path)) {
    const kind = name.toLowerCase()
    const { exact, written: before } = pen
    const absolute = numbers.map((value, at) => value + (name === kind ? along(exact, getAxis(kind, at)) : 0))
    const relative = absolute.map((value, at) => round(value) - along(before, getAxis(kind, at)))
    const end = moved(kind, absolute, exact)
    pen = kind === 'z' ? start : { exact: end, written: [round(end[0]), round(end[1])] }
    if (kind === 'm') start = pen
    const piece = written(relative, digits)
    const isRepeat = kind === last && kind !== 'm' && kind !== 'z'
    text += isRepeat ? `${isApart(text, piece) ? '' : ' '}${piece}` : kind + piece
    last = kind
  }
  return text
}
