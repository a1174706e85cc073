import { times } from './long.ts'

/** Characters, and pairs of them in turn, that parsers of cookies, headers, addresses, JSON and tokens look for. */
const units: readonly string[] = [
  'a',
  '0',
  '1',
  ' ',
  '\t',
  '\n',
  '.',
  '-',
  '_',
  '=',
  '%',
  '/',
  '\\',
  '"',
  "'",
  '<',
  '>',
  '@',
  ',',
  ';',
  ':',
  '&',
  '+',
  '[',
  '{',
  '(',
  '$',
  '\u0000',
  '\u202e',
  'é',
  '😀',
  '\ud800',
  'a.',
  'a-',
  'a ',
  '. ',
  ', ',
  ' ,',
  '; ',
  ' \n',
  'a@',
  '.@',
  'a=',
  '=;',
  '=a',
  'a/',
  '/.',
  '%2',
  '%a',
  '\\"',
  '"\\',
  '[{',
  '{"',
  '",',
  '0.',
  '1e',
  '0,',
  '<a',
  '::',
  ':0',
  '({',
  '&a',
  '--'
]

/** What makes a parser that got to the end try other ways. */
const ends: readonly string[] = ['', '!']

/** A text of at most so many characters. */
interface Pattern {
  readonly name: string
  readonly create: (length: number) => string
}

const patterns: readonly Pattern[] = units.flatMap((unit) =>
  ends.map((end) => ({
    name: `${JSON.stringify(unit)} again and again${end === '' ? '' : `, then ${end}`}`,
    create: (length) => unit.repeat(Math.floor((length - end.length) / unit.length)) + end
  }))
)

/** Milliseconds of CPU time of this thread: what other requests wait for. */
async function measure(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** Work that takes longer at a sixteenth of the length is not continued: the whole could take hours. Milliseconds. */
const longest = 500

/** A text and its parser. */
export interface LinearTimeOptions {
  /** The most characters that can be sent. */
  readonly maxLength: number
  /** Milliseconds: less is not compared, as it would compare noise. @defaultValue 20 */
  readonly floor?: number
  /** How many texts are tried in `npm test`, and in the long run. @defaultValue none, and all */
  readonly rounds?: readonly [few: number, many: number]
}

async function getProblem(
  { name, create }: Pattern,
  work: (text: string) => unknown,
  { maxLength, floor = 20 }: LinearTimeOptions
): Promise<string | null> {
  for (const length of [40, Math.floor(maxLength / 16)]) {
    const text = create(length)
    const time = await measure(() => work(text))
    if (time > longest && (await measure(() => work(text))) > longest)
      return `${name}: ${time.toFixed()} ms for ${length} characters`
  }
  const [all, half] = [create(maxLength), create(maxLength / 2)]
  if ((await measure(() => work(all))) <= floor || (await measure(() => work(all))) <= floor) return null
  const [ofAll, ofHalf]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < 5; turn++) {
    ofHalf.push(await measure(() => work(half)))
    ofAll.push(await measure(() => work(all)))
  }
  const [whole, part] = [median(ofAll), median(ofHalf)]
  if (whole <= floor || whole <= 3 * part) return null
  return `${name}: ${whole.toFixed(1)} ms for ${maxLength} characters, ${part.toFixed(1)} ms for half of them`
}

let next = 0

/**
 * Runs work on texts of one character, or of two in turn, with and without a wrong end, at half and at all of the largest
 * length. The CPU time of all must be at most three times that of half: work that grows with the square takes four times.
 * Successive calls begin with different texts if they do not try all of them.
 *
 * @returns What took too long.
 * @see CWE-1333, CWE-407
 */
export async function findSlowTexts(
  work: (text: string) => unknown,
  options: LinearTimeOptions
): Promise<readonly string[]> {
  const [few, many] = options.rounds ?? [0, patterns.length]
  const count = Math.min(times(few, many), patterns.length)
  const problems: string[] = []
  for (let turn = 0; turn < count; turn++) {
    const pattern = patterns[next++ % patterns.length]
    const problem = pattern && (await getProblem(pattern, work, options))
    if (problem) problems.push(problem)
  }
  return problems
}
