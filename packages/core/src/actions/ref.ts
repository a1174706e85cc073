import { textOf } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'

const shape = /^[A-Za-z0-9._-]{1,64}$/

/** The id that a failed request put into its redirect, where it looks like one; else this request's own. */
export function refOf({ query, id }: AuthRequest): string {
  const given = textOf(query, 'ref')
  return given !== null && shape.test(given) ? given : id
}
