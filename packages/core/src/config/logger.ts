import type { Logger } from '../model/logger.ts'

const silent = (): void => undefined

/** Logs to the console with next-auth's prefixes. Each level that the application defines replaces the console's. */
export function resolveLogger(given: Partial<Logger>, isDebugging: boolean): Logger {
  const own: Logger = {
    error: (code, metadata) => console.error(`[postern][error][${code}]`, metadata),
    warn: (code, metadata) => console.warn(`[postern][warn][${code}]`, ...(metadata === undefined ? [] : [metadata])),
    debug: isDebugging ? (code, metadata) => console.log(`[postern][debug][${code}]`, metadata) : silent
  }
  const levels = Object.fromEntries(Object.entries(given).filter(([, level]) => typeof level === 'function'))
  return { ...own, ...levels }
}
