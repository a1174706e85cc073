/** Headers that the application puts on the built-in pages, by name; `null` leaves one of ours out. */
export type HeaderOptions = Readonly<Record<string, string | null | undefined>>

/** Headers that an answer cannot do without, or that are made elsewhere. */
const ours = new Set(['cache-control', 'content-length', 'content-type', 'location', 'pragma', 'set-cookie', 'vary'])

const nameShape = /^[a-z0-9-]+$/i
const valueShape = /^[\x20-\x7e]+$/

/** @returns Why a header cannot be set on the pages, or `null` where it can. */
export function headerProblem(name: string, value: unknown): string | null {
  if (!nameShape.test(name)) return 'expected the name of a header'
  if (ours.has(name.toLowerCase())) return 'this header cannot be chosen'
  if (value === null || value === undefined) return null
  return typeof value === 'string' && valueShape.test(value) ? null : 'expected a text of printable characters, or null'
}

/** @returns The headers with those of the application put over them. */
export function withHeaders(headers: Record<string, string>, options: HeaderOptions): Record<string, string> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  if (given.length === 0) return headers
  const replaced = new Set(given.map(([name]) => name.toLowerCase()))
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name))
  const added = given.flatMap(([name, value]): [string, string][] => (value ? [[name.toLowerCase(), value]] : []))
  return Object.fromEntries([...kept, ...added])
}
