import type { RateLimiter, RateRule } from '@postern/core'

interface Window {
  count: number
  /** Milliseconds since 1970. */
  readonly ends: number
}

/** Windows that are kept before any is looked over: those that have ended go then. */
const fewest = 10_000

/**
 * Counts in the memory of this process: so many in a window, which begins with the first.
 *
 * @param now - Milliseconds since 1970.
 */
export function memoryLimiter(now: () => number = Date.now): RateLimiter {
  const windows = new Map<string, Window>()
  let most = fewest
  const nameOf = (key: string, { points, seconds }: RateRule): string => `${points}/${seconds} ${key}`
  const open = (name: string, { seconds }: RateRule): Window => {
    if (windows.size >= most) {
      for (const [other, { ends }] of windows) if (ends <= now()) windows.delete(other)
      most = Math.max(fewest, windows.size * 2)
    }
    const window = { count: 0, ends: now() + seconds * 1000 }
    windows.set(name, window)
    return window
  }
  const current = (name: string): Window | null => {
    const window = windows.get(name)
    return window && window.ends > now() ? window : null
  }
  return {
    take: async (key, rule) => {
      const name = nameOf(key, rule)
      const window = current(name) ?? open(name, rule)
      window.count += 1
      return window.count > rule.points ? Math.max(1, Math.ceil((window.ends - now()) / 1000)) : 0
    },
    giveBack: async (key, rule) => {
      const window = current(nameOf(key, rule))
      if (window && window.count > 0) window.count -= 1
    }
  }
}
