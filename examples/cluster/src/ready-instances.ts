/** Checks instances for readiness: those that answer `GET /ready` with another status than 200 get no more requests. */
export interface ReadyInstances {
  readonly ports: () => readonly number[]
  readonly close: () => void
}

/** Milliseconds between two checks of an instance. */
const interval = 100

async function isReady(port: number): Promise<boolean> {
  const check = fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(5000) })
  return check.then(
    ({ status }) => status === 200,
    () => false
  )
}

/** Starts the checks. An instance that was not checked yet counts as ready, because it listens already. */
export function watchReadiness(ports: () => readonly number[]): ReadyInstances {
  const unready = new Set<number>()
  const check = async (port: number): Promise<void> => {
    if (await isReady(port)) unready.delete(port)
    else unready.add(port)
  }
  let isChecking = false
  const checkAll = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    await Promise.all(ports().map(check))
    isChecking = false
  }
  const timer = setInterval(() => void checkAll(), interval)
  timer.unref()
  return { ports: () => ports().filter((port) => !unready.has(port)), close: () => clearInterval(timer) }
}
