import { textOf } from '../http/body.ts'
import { json, text } from '../http/action-result.ts'
import type { Run } from './row.ts'

/** What a browser may say in our log: a level of this list, and a short text that names where it comes from. */
export const writeClientLog: Run = async ({ body, id }, { clientLog, logger }) => {
  if (!clientLog) return text('Error: the client log is switched off', 404)
  const level = textOf(body, 'level')
  const code = (textOf(body, 'code') ?? '').replaceAll(/[^A-Za-z0-9_.-]/g, '').slice(0, 64)
  const message = (textOf(body, 'message') ?? '').replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 500)
  const metadata = { client: true, ref: id, message }
  if (level === 'error') logger.error(code, metadata)
  else if (level === 'warn') logger.warn(code, metadata)
  else if (level === 'debug') logger.debug(code, metadata)
  return json({})
}
