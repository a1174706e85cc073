import type { Adapter } from '@postern/core'

/** Creates `withLease`: one queue per name, in which each caller waits for the previous one, even if that failed. */
export function createLeases(): Required<Adapter>['withLease'] {
  const queues = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const turn = (queues.get(name) ?? Promise.resolve()).then(work)
    const end = turn.catch(() => null)
    queues.set(name, end)
    try {
      return await turn
    } finally {
      if (queues.get(name) === end) queues.delete(name)
    }
  }
}
