import type { Adapter } from '@postern/core'

/** Makes `withLease`: one queue a name, in which each waits for the one before, however that one ended. */
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
