/** A timer that does not keep the process alive. */
export interface Timer {
  clear(): void
}

/** Runs a function after a delay in milliseconds. */
export function setUnrefTimeout(act: () => void, milliseconds: number): Timer {
  const timer = setTimeout(act, milliseconds)
  timer.unref()
  return { clear: () => clearTimeout(timer) }
}
