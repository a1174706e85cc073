import { handleRejection } from '../errors/user-code.ts'
import type { Logger } from '../model/logger.ts'

const silent = (): void => undefined

/** Logs to the console with next-auth's prefixes. Each level that the application defines replaces the console's. */
export function resolveLogger(given: Partial<Logger>, isDebugging: boolean): Logger {
  const own: Logger = {
    error: (code, metadata) => console.error(`[postern][error][${code}]`, metadata),
    warn: (code, metadata) => console.warn(`[postern][warn][${code}]`, ...(metadata === undefined ? [] : [metadata])),
    debug: isDebugging ? (code, metadata) => console.log(`[postern][debug][${code}]`, metadata) : silent
  }
  const levels = Object.entries(given)
    .filter(([, level]) => typeof level === 'function')
    .map(([name, level]) => [
      name,
      (...line: Parameters<Logger['error']>) =>
        void handleRejection(Reflect.apply(level, given, line), (error) => own.error('LOGGER_ERROR', error))
    ])
  return { ...own, ...Object.fromEntries(levels) }
}
