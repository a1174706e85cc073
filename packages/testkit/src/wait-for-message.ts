import type { ChildProcess } from 'node:child_process'

/**
 * Waits for a message of a process.
 *
 * One listener sees every message: of two that arrive at once, the second is emitted before code that awaits the first one continues.
 *
 * @param pick - Returns what to wait for, or `undefined` if the message is another one.
 * @throws Error if the process ends before.
 */
export function waitForMessage<T>(
  child: ChildProcess,
  pick: (message: Readonly<Record<string, unknown>>) => T | undefined
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    const onMessage = (message: unknown): void => {
      const picked =
        typeof message === 'object' && message !== null ? pick(Object.fromEntries(Object.entries(message))) : undefined
      if (picked === undefined) return
      stop()
      resolve(picked)
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      stop()
      reject(new Error(`the process ended too early: ${code ?? signal}`))
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
  })
}
