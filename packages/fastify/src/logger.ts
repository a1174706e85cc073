import type { Logger } from '@postern/core'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

/** A request of our routes as the log may hold it, without its query: links and callbacks carry secrets there. */
export function requestForLog({ method, url, host, ip, socket }: FastifyRequest): object {
  return { method, url: url.split('?', 1)[0], host, remoteAddress: ip, remotePort: socket?.remotePort }
}

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
