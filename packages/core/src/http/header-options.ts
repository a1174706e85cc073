import type { ProblemDetail } from '../errors/config-error.ts'

/** Headers that the application sets on the built-in pages, by name; `null` removes a default header. */
export type HeaderOptions = Readonly<Record<string, string | null | undefined>>

/** Headers that a response requires, or that are set elsewhere. */
const ours = new Set(['cache-control', 'content-length', 'content-type', 'location', 'pragma', 'set-cookie', 'vary'])

const nameShape = /^[a-z0-9-]+$/i
const valueShape = /^[\x20-\x7e]+$/

/** @returns Why a header cannot be set on the pages, or `null` if it can. */
export function headerProblem(name: string, value: unknown): ProblemDetail | null {
  if (!nameShape.test(name)) return { code: 'INVALID_VALUE', message: 'expected the name of a header' }
  if (ours.has(name.toLowerCase())) return { code: 'HEADER_RESERVED', message: 'this header cannot be set' }
  if (value === null || value === undefined) return null
  if (typeof value === 'string' && valueShape.test(value)) return null
  const code = typeof value === 'string' ? 'INVALID_VALUE' : 'INVALID_TYPE'
  return { code, message: 'expected a string of printable characters, or null' }
}

/** @returns The headers, overridden by those of the application. */
export function withHeaders(headers: Record<string, string>, options: HeaderOptions): Record<string, string> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  if (given.length === 0) return headers
  const replaced = new Set(given.map(([name]) => name.toLowerCase()))
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name))
  const added = given.flatMap(([name, value]): [string, string][] => (value ? [[name.toLowerCase(), value]] : []))
  return Object.fromEntries([...kept, ...added])
}
