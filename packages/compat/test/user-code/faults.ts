import { requiredMethods } from '@postern/adapters/contract'
import type { Adapter } from '@postern/core'

/** How somebody else's function goes wrong. */
export interface Fault {
  readonly what: string
  readonly call: () => unknown
}

export const throwing: Fault = {
  what: 'throws',
  call: () => {
    throw new Error('boom')
  }
}

export const rejecting: Fault = { what: 'rejects', call: () => Promise.reject(new Error('boom')) }

export const throwingNoError: Fault = {
  what: 'throws what is no error',
  call: () => {
    throw { access_token: 'a token that no log may have' }
  }
}

export const silent: Fault = { what: 'never answers', call: () => new Promise(() => undefined) }

/** @returns What answers with this value instead of what was promised. */
export function answering(value: unknown): Fault {
  return { what: `answers ${JSON.stringify(value) ?? String(value)}`, call: async () => value }
}

export const failures: readonly Fault[] = [throwing, rejecting, throwingNoError, silent]

/** An adapter of next-auth v4 or Auth.js has these methods and no others. */
export const fourteen = requiredMethods

export type Method = (typeof fourteen)[number]

/** An adapter of those methods, one of which can be spoiled. */
export function spoilable(adapter: Adapter): {
  readonly adapter: Adapter
  readonly spoil: (method: Method, fault: Fault) => void
} {
  const faults = new Map<Method, Fault>()
  const methods = fourteen.map((method) => [
    method,
    (...args: never[]): unknown => faults.get(method)?.call() ?? Reflect.apply(Object(adapter)[method], adapter, args)
  ])
  return { adapter: Object.fromEntries(methods), spoil: (method, fault) => void faults.set(method, fault) }
}

/** Everything that lines of a log say, as one text. */
export function told(lines: readonly unknown[]): string {
  return JSON.stringify(lines, (_key, value: unknown) =>
    value instanceof Error ? { name: value.name, message: value.message, cause: value.cause } : value
  )
}
