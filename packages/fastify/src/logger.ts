import type { Logger } from '@postern/core'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { isObject } from './is-object.ts'

/** Serializes a request of Postern's routes for the log, without the query: links and callbacks carry secrets there. */
export function requestForLog({ method, url, host, ip, socket }: FastifyRequest): object {
  return { method, url: url.split('?', 1)[0], host, remoteAddress: ip, remotePort: socket?.remotePort }
}

/** The loggers of pending requests, by the request id that the core logs. */
export type RequestLogs = Map<string, FastifyBaseLogger>

function findLogger(metadata: unknown, logs: RequestLogs): FastifyBaseLogger | null {
  const reference = isObject(metadata) ? metadata['ref'] : null
  return typeof reference === 'string' ? (logs.get(reference) ?? null) : null
}

/** Writes next-auth's log codes to the log of the request if there is one, otherwise to the application's log. */
export function fastifyLogger(log: FastifyBaseLogger, logs: RequestLogs): Logger {
  const fields = (code: string, metadata: unknown): object => ({
    code,
    ...(metadata instanceof Error ? { err: metadata } : typeof metadata === 'object' ? { auth: metadata } : {})
  })
  const text = (code: string, metadata: unknown): string =>
    typeof metadata === 'string' ? `${code}: ${metadata}` : code
  const write =
    (level: 'error' | 'warn' | 'debug') =>
    (code: string, metadata: unknown): void =>
      (findLogger(metadata, logs) ?? log)[level](fields(code, metadata), text(code, metadata))
  return { error: write('error'), warn: write('warn'), debug: write('debug') }
}
