import type { Runtime } from '../model/runtime.ts'

const poolSize = 4096
let pool = new Uint8Array(0)
let spent = 0

/** Asks the system for many random bytes at once and gives each of them out once: asking is what takes time. */
function pooledRandomBytes(size: number): Uint8Array {
  if (size > poolSize) return crypto.getRandomValues(new Uint8Array(size))
  if (pool.length - spent < size) {
    pool = crypto.getRandomValues(new Uint8Array(poolSize))
    spent = 0
  }
  const start = spent
  spent += size
  const bytes = pool.slice(start, spent)
  pool.fill(0, start, spent)
  return bytes
}

/** What every runtime with web standards has; mail and a guarded `fetch` come from `@postern/core/node`. */
export function resolveRuntime(given: Partial<Runtime>): Runtime {
  return {
    now: given.now ?? Date.now,
    kill: given.kill,
    randomBytes: given.randomBytes ?? pooledRandomBytes,
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
