import {
  checkShape,
  defaults,
  type Logger,
  loggerShape,
  type PosternOptions,
  type RateLimiter,
  type Runtime
} from '@postern/core'
import type { FastifyInstance } from 'fastify'
import { withFallbackLimiter } from './fallback-limiter.ts'
import { isObject } from './is-object.ts'
import { memoryLimiter } from './limiter.ts'
import { fastifyLogger, type RequestLogs } from './logger.ts'
import type { NodeRuntime } from './node-runtime.ts'

/** Returns whether a value is an object that additional fields can be merged into. */
export const isGroup = (value: unknown): value is object => isObject(value) && !Array.isArray(value)

const hasMethod = (value: object, name: string): boolean => typeof Reflect.get(value, name) === 'function'

const levels = ['error', 'warn', 'debug'] as const

/** Whether the value has the shape of a logger. It may have additional properties. */
function isLogger(value: unknown): value is Partial<Logger> {
  return isGroup(value) && checkShape({ logger: value }, { logger: loggerShape }, '').length === 0
}

/** Calls the application's levels as its own methods; Fastify's log handles the others. */
function mergedLogger(given: Partial<Logger>, own: Logger): Logger {
  const level = (name: (typeof levels)[number]): Logger['error'] =>
    typeof given[name] === 'function' ? (...args) => given[name]?.(...args) : own[name]
  return { error: level('error'), warn: level('warn'), debug: level('debug') }
}

/** Unset fields get Node's default. An explicit `undefined` does not disable the guarded `fetch`. */
function mergedRuntime(given: Partial<Runtime>, { runtime }: NodeRuntime): Partial<Runtime> {
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined)
  // An own `sendMail` needs nothing of the default.
  const { loadMailer, ...others } = runtime
  const own = Object.fromEntries(chosen)
  return { ...others, ...(own['sendMail'] ? {} : { loadMailer }), ...own }
}

function isLimiter(value: unknown): value is RateLimiter {
  return isGroup(value) && hasMethod(value, 'consume') && hasMethod(value, 'refund')
}

/** Counts in memory, or in the application's limiter with a fallback. */
function createLimiter(given: RateLimiter | undefined, logger: Partial<Logger>, options: PosternOptions): RateLimiter {
  if (given === undefined) return memoryLimiter()
  if (!isLimiter(given)) return given
  const timeout = options.constants?.limiterTimeoutMilliseconds ?? defaults.limiterTimeoutMilliseconds
  return withFallbackLimiter(given, { warn: (...args) => logger.warn?.(...args) }, timeout)
}

/** An invalid base path stays invalid after the prefix is added, so that the core reports it. */
function prefixedPath({ prefix }: FastifyInstance, basePath: string = defaults.basePath): string {
  const isPath = typeof basePath === 'string' && basePath.startsWith('/')
  return isPath ? prefix + basePath : basePath
}

/**
 * Adds the defaults of Fastify and Node to unset options. Values of a wrong type are passed through; the core reports
 * them.
 */
export function withFastifyDefaults(
  app: FastifyInstance,
  options: PosternOptions,
  out: NodeRuntime,
  logs: RequestLogs
): PosternOptions {
  const { logger = {}, runtime = {}, basePath, debug } = options
  const own = fastifyLogger(app.log, logs)
  const quiet = debug ? own : { ...own, debug: () => undefined }
  const log = isLogger(logger) ? mergedLogger(logger, quiet) : logger
  const rateLimit: PosternOptions['rateLimit'] = options.rateLimit === undefined ? {} : options.rateLimit
  return {
    ...options,
    basePath: app.prefix === '' ? basePath : prefixedPath(app, basePath),
    runtime: isGroup(runtime) ? mergedRuntime(runtime, out) : runtime,
    logger: log,
    rateLimit: isGroup(rateLimit)
      ? { ...rateLimit, limiter: createLimiter(rateLimit.limiter, log, options) }
      : rateLimit
  }
}
