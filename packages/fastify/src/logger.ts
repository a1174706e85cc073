import type { Logger } from '@postern/core'
import type { FastifyBaseLogger } from 'fastify'

/** Writes next-auth's log codes through the application's own logger. */
export function fastifyLogger(log: FastifyBaseLogger): Logger {
  const fields = (code: string, metadata: unknown): object => ({
    code,
    ...(metadata instanceof Error ? { err: metadata } : typeof metadata === 'object' ? { auth: metadata } : {})
  })
  const text = (code: string, metadata: unknown): string =>
    typeof metadata === 'string' ? `${code}: ${metadata}` : code
  return {
    error: (code, metadata) => log.error(fields(code, metadata), text(code, metadata)),
    warn: (code, metadata) => log.warn(fields(code, metadata), text(code, metadata)),
    debug: (code, metadata) => log.debug(fields(code, metadata), text(code, metadata))
  }
}
