/** Runs something after some milliseconds; a process that has nothing else left to do ends without it. */
export function runLater(act: () => void, milliseconds: number): void {
  const timer: unknown = setTimeout(act, milliseconds)
  if (isReferenced(timer)) timer.unref()
}

/** In a browser and on some servers a timer is a number, and keeps nobody from ending. */
function isReferenced(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function'
}
