import type { Logger } from '@postern/core'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

/** A request of our routes as the log may hold it, without its query: links and callbacks carry secrets there. */
export function requestForLog({ method, url, host, ip, socket }: FastifyRequest): object {
  return { method, url: url.split('?', 1)[0], host, remoteAddress: ip, remotePort: socket?.remotePort }
}

/** The logs of the requests that are being answered, by the id that the core's lines name. */
export type RequestLogs = Map<string, FastifyBaseLogger>

function logOf(metadata: unknown, logs: RequestLogs): FastifyBaseLogger | null {
  if (typeof metadata !== 'object' || metadata === null || !('ref' in metadata)) return null
  return typeof metadata.ref === 'string' ? (logs.get(metadata.ref) ?? null) : null
}

/** Writes next-auth's log codes through the log of the request that they are about, else the application's. */
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
      (logOf(metadata, logs) ?? log)[level](fields(code, metadata), text(code, metadata))
  return { error: write('error'), warn: write('warn'), debug: write('debug') }
}
