import type { ErrorClasses } from './errors.ts'
import { exchange } from './frames.ts'
import { createPeer, type Message, type Outcome } from './peer.ts'
import type { Callable } from './wire.ts'

/** The file descriptor for the parent's results. */
const file = 4

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null && 'kind' in value
const isOutcome = (value: unknown): value is Outcome => typeof value === 'object' && value !== null && 'kind' in value

/**
 * Offers a function to the process that started this one with `startProcess`.
 *
 * Functions among its arguments belong to the parent: a call blocks until the result arrives, so synchronous functions
 * stay synchronous. The process exits with its parent.
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
