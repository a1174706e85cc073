import { AccountError, AuthError, ConfigError, SignInError, StoreError } from '@postern/core'
import type { Method } from '@postern/testkit'
import type { Setup } from '../application.ts'
import type { Gate } from '../store-probe.ts'
import type { Environment } from './environment.ts'

/** The errors that both processes know by their classes. */
export const classes = { AccountError, AuthError, ConfigError, SignInError, StoreError }

/** What an instance in another process is made of: functions in it are called in the process of the test. */
export interface RemoteSetup extends Setup {
  /** Where it finds PostgreSQL and Redis; `null` where the options bring the store. */
  readonly services: Environment | null
  /** In front of its adapter, where it has one. */
  readonly gate: Gate | null
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface Request {
  method: Method
  url: string
  headers: Record<string, string>
  payload?: string
  remoteAddress?: string
}

export interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>
  readonly body: string
}

/** What takes requests: a Fastify application, in this process or another. */
export interface Reachable {
  inject(request: Request): PromiseLike<Answer>
}

export interface RemoteInstance extends Reachable {
  /** What it has routes for. */
  readonly urls: readonly string[]
  readonly close: () => Promise<void>
}

export const isRemoteSetup = (value: unknown): value is RemoteSetup =>
  typeof value === 'object' && value !== null && 'options' in value && 'services' in value

export const isRemoteInstance = (value: unknown): value is RemoteInstance =>
  typeof value === 'object' && value !== null && 'inject' in value && 'urls' in value
