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
import { insured } from './fallback-limiter.ts'
import { memoryLimiter } from './limiter.ts'
import { fastifyLogger, type RequestLogs } from './logger.ts'
import type { Outside } from './node-runtime.ts'

/** Whether a value can be merged with what is added to it. */
export const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasMethod = (value: object, name: string): boolean => typeof Reflect.get(value, name) === 'function'

const levels = ['error', 'warn', 'debug'] as const

/** Whether it is all of a logger, whatever it has besides, or some of one and nothing else. */
function isLogger(value: unknown): value is Partial<Logger> {
  return isGroup(value) && checkShape({ logger: value }, { logger: loggerShape }, '').length === 0
}

/** The levels that the application gives, called as its own; Fastify's log for the others. */
function mergedLogger(given: Partial<Logger>, own: Logger): Logger {
  const level = (name: (typeof levels)[number]): Logger['error'] =>
    typeof given[name] === 'function' ? (...args) => given[name]?.(...args) : own[name]
  return { error: level('error'), warn: level('warn'), debug: level('debug') }
}

/** What the application leaves open is Node's: `undefined` is no way to do without a guarded `fetch`. */
function mergedRuntime(given: Partial<Runtime>, { runtime }: Outside): Partial<Runtime> {
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...runtime, ...Object.fromEntries(chosen) }
}

function isLimiter(value: unknown): value is RateLimiter {
  return isGroup(value) && hasMethod(value, 'take') && hasMethod(value, 'giveBack')
}

/** Counts in memory, or where the application says; then with a stand-in for when that fails. */
function limiterOf(given: RateLimiter | undefined, logger: Partial<Logger>, options: PosternOptions): RateLimiter {
  if (given === undefined) return memoryLimiter()
  if (!isLimiter(given)) return given
  const timeout = options.constants?.limiterTimeoutMilliseconds ?? defaults.limiterTimeoutMilliseconds
  return insured(given, { warn: (...args) => logger.warn?.(...args) }, timeout)
}

/** A base path that is none must stay one below a prefix. */
function prefixedPath({ prefix }: FastifyInstance, basePath: string = defaults.basePath): string {
  const isPath = typeof basePath === 'string' && basePath.startsWith('/')
  return isPath ? prefix + basePath : basePath
}

/**
 * Adds what Fastify and Node bring, where the application says nothing else. What is of a wrong kind stays as it came:
 * the core tells what is wrong with it.
 */
export function withSurroundings(
  app: FastifyInstance,
  options: PosternOptions,
  out: Outside,
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
    rateLimit: isGroup(rateLimit) ? { ...rateLimit, limiter: limiterOf(rateLimit.limiter, log, options) } : rateLimit
  }
}
