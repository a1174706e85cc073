import { json, text } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import type { Run } from './route.ts'

/** Writes a log entry of the browser: a level of this list, and a short message with its source. */
export const writeBrowserLog: Run = async ({ body, id }, { clientLog, logger }) => {
  if (!clientLog) return text('Error: the client log is switched off', 404)
  const level = getText(body, 'level')
  const code = (getText(body, 'code') ?? '').replaceAll(/[^A-Za-z0-9_.-]/g, '').slice(0, 64)
  const message = (getText(body, 'message') ?? '').replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 500)
  const metadata = { client: true, ref: id, message }
  if (level === 'error') logger.error(code, metadata)
  else if (level === 'warn') logger.warn(code, metadata)
  else if (level === 'debug') logger.debug(code, metadata)
  return json({})
}
