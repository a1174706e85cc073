interface Window {
  count: number
  /** Milliseconds since 1970. */
  ends: number
}

const length = 60_000
/** As in Postern's options here: the limit is at work, and out of reach. */
const points = 1_000_000_000
const maxWindows = 10_000

const windows = new Map<string, Window>()

function removeEnded(now: number): void {
  for (const [key, { ends }] of windows) if (ends <= now) windows.delete(key)
}

/** Counts an attempt. @returns Whether it is allowed. */
export function consume(key: string, now: number): boolean {
  const window = windows.get(key)
  if (window && window.ends > now) return ++window.count <= points
  if (windows.size >= maxWindows) removeEnded(now)
  windows.set(key, { count: 1, ends: now + length })
  return true
}

/** Takes the count of an attempt back that was right. */
export function refund(key: string): void {
  const window = windows.get(key)
  if (window && window.count > 0) window.count--
}
