import { requiredMethods } from '@postern/adapters/contract'
import type { Adapter } from '@postern/core'
import { some } from '@postern/testkit/long'

/** The faults of a user-supplied function. */
export interface Fault {
  readonly title: string
  readonly call: () => unknown
}

export const throwing: Fault = {
  title: 'throws',
  call: () => {
    throw new Error('boom')
  }
}

export const rejecting: Fault = { title: 'rejects', call: () => Promise.reject(new Error('boom')) }

export const throwingNoError: Fault = {
  title: 'throws what is not an error',
  call: () => {
    throw { access_token: 'a token that no log may have' }
  }
}

export const silent: Fault = { title: 'never answers', call: () => new Promise(() => undefined) }

/** @returns What answers with this value instead of what was promised. */
export function answering(value: unknown): Fault {
  return { title: `answers ${JSON.stringify(value) ?? String(value)}`, call: async () => value }
}

export const failures: readonly Fault[] = [throwing, rejecting, throwingNoError, silent]

/**
 * The faults of user code. In `npm test` each code fails once and returns an invalid value once, and each failure and value
 * occurs; in the long run each code has each.
 */
export function someFaults<Case extends { readonly invalid: readonly unknown[] }>(
  cases: readonly Case[],
  getName: (one: Case) => string
): readonly { readonly one: Case; readonly fault: Fault }[] {
  const all = cases.flatMap((one) => [
    ...failures.map((fault) => ({ one, fault, kind: 'fails' })),
    ...one.invalid.map((value) => ({ one, fault: answering(value), kind: 'returns' }))
  ])
  return some(all, ({ one, fault, kind }) => [`${getName(one)} ${kind}`, fault.title], 1)
}

/** An adapter of next-auth v4 or Auth.js has these methods and no others. */
export const fourteen = requiredMethods

export type Method = (typeof fourteen)[number]

/** An adapter of those methods, one of which can be spoiled. */
export function withFaults(adapter: Adapter): {
  readonly adapter: Adapter
  readonly corrupt: (method: Method, fault: Fault) => void
} {
  const faults = new Map<Method, Fault>()
  const methods = fourteen.map((method) => [
    method,
    (...args: never[]): unknown => faults.get(method)?.call() ?? Reflect.apply(Object(adapter)[method], adapter, args)
  ])
  return { adapter: Object.fromEntries(methods), corrupt: (method, fault) => void faults.set(method, fault) }
}

/** Everything that lines of a log say, as one text. */
export function formatLog(lines: readonly unknown[]): string {
  return JSON.stringify(lines, (_key, value: unknown) =>
    value instanceof Error ? { name: value.name, message: value.message, cause: value.cause } : value
  )
}
