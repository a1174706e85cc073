import type { Runtime } from '../model/runtime.ts'

const poolSize = 4096
let pool = new Uint8Array(0)
let spent = 0

/** Reads many random bytes at once and returns each only once: the call to the system is the slow part. */
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

/** Resolves the runtime from web standards; mail and a guarded `fetch` are in `@postern/core/node`. */
export function resolveRuntime(given: Partial<Runtime>): Runtime {
  return {
    now: given.now ?? Date.now,
    randomBytes: given.randomBytes ?? pooledRandomBytes,
    fetch:
      given.fetch ??
      ((url, init, { timeout }) => fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })),
    loadMailer: given.loadMailer,
    sendMail:
      given.sendMail ??
      (() =>
        Promise.reject(
          new TypeError('this runtime cannot send mail; pass runtime.sendMail, or the one of @postern/core/node')
        ))
  }
}
