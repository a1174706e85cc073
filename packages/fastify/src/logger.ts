import type { Logger } from '@postern/core'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

/** A request of our routes as the log may hold it, without its query: links and callbacks carry secrets there. */
export function requestForLog({ method, url, host, ip, socket }: FastifyRequest): object {
  return { method, url: url.split('?', 1)[0], host, remoteAddress: ip, remotePort: socket?.remotePort }
}

/** The logs of the requests that are being answered, by the id that the core's lines name. */
export interface RequestLogs {
  readonly of: (metadata: unknown) => FastifyBaseLogger | null
  /** Does the work of a request; what is logged about it meanwhile goes to the request's own log. */
  readonly during: <T>(id: string, log: FastifyBaseLogger, work: () => Promise<T>) => Promise<T>
}

export function requestLogs(): RequestLogs {
  const logs = new Map<unknown, FastifyBaseLogger>()
  return {
    of: (metadata) =>
      (typeof metadata === 'object' && metadata !== null && 'ref' in metadata && logs.get(metadata.ref)) || null,
    during: async (id, log, work) => {
      logs.set(id, log)
      try {
        return await work()
      } finally {
        logs.delete(id)
      }
    }
  }
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
      (logs.of(metadata) ?? log)[level](fields(code, metadata), text(code, metadata))
  return { error: write('error'), warn: write('warn'), debug: write('debug') }
}
