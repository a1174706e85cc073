import { isObject } from './json-object.ts'

/** Runs a function after a delay in milliseconds. The timer does not keep the process alive. */
export function setUnrefTimeout(act: () => void, milliseconds: number): void {
  const timer: unknown = setTimeout(act, milliseconds)
  if (isReferenced(timer)) timer.unref()
}

/** In browsers and some runtimes a timer is a number, which keeps no process alive. */
function isReferenced(timer: unknown): timer is { unref(): void } {
  return isObject(timer) && typeof timer['unref'] === 'function'
}
