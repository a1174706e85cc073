import type { Runtime } from '../model/runtime.ts'

/** What every runtime with web standards has; mail and a guarded `fetch` come from `@postern/core/node`. */
export function resolveRuntime(given: Partial<Runtime>): Runtime {
  return {
    now: given.now ?? Date.now,
    randomBytes: given.randomBytes ?? ((size) => crypto.getRandomValues(new Uint8Array(size))),
    fetch:
      given.fetch ??
      ((url, init, { timeout }) => fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })),
    sendMail:
      given.sendMail ??
      (() =>
        Promise.reject(
          new TypeError('this runtime cannot send mail; pass runtime.sendMail, or that of @postern/core/node')
        ))
  }
}
