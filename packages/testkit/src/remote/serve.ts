import type { ErrorClasses } from './errors.ts'
import { exchange } from './frames.ts'
import { createPeer, type Message, type Outcome } from './peer.ts'
import type { Callable } from './wire.ts'

/** Where a process waits for its parent's answers. */
const file = 4

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null && 'kind' in value
const isOutcome = (value: unknown): value is Outcome => typeof value === 'object' && value !== null && 'kind' in value

/**
 * Offers a function to the process that made this one by `startProcess`.
 *
 * Functions among its arguments are the parent's: a call waits for the answer and does nothing else meanwhile, so one
 * that answers at once there does so here too. The process ends with its parent.
 */
export function serveParent(root: Callable, classes: ErrorClasses = {}): void {
  const peer = createPeer({
    classes,
    send: (message) => void process.send?.(message),
    callNow: (call) => {
      const outcome = exchange(file, call)
      if (!isOutcome(outcome)) throw new TypeError('expected the outcome of a call')
      return outcome
    }
  })
  peer.keep(root, null)
  process.on('message', (message) => {
    if (isMessage(message)) peer.receive(message)
  })
  process.on('disconnect', () => process.exit(0))
}
