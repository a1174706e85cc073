// Takes the place of `async-hook-domain`, by which tap finds the test that an error belongs to which nobody caught. That one
// follows every promise with a hook, which took a quarter of the time of all tests; this one asks AsyncLocalStorage.
import { AsyncLocalStorage, AsyncResource, executionAsyncResource } from 'node:async_hooks'

const storage = new AsyncLocalStorage()
/** Domains whose test runs, in the order in which they began. */
const running = new Set()
const handlesItself = () =>
  process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0

/** The nearest domain that still takes errors. */
function alive(domain) {
  for (let each = domain; each; each = each.parent) if (!each.isDestroyed) return each
  return null
}

/** Gives an error to the test that it came from, or to the innermost one where that is not known. */
function take(error, event) {
  if (handlesItself()) return false
  const domain = alive(storage.getStore()) ?? alive([...running].at(-1))
  if (!domain) return false
  domain.onerror(error, event)
  return true
}

function onException(error, event) {
  if (!take(error, event)) return
  // The error was taken: it does not end the process.
  process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null))
}

let isListening = false
function listen() {
  if (isListening) return
  isListening = true
  process.on('uncaughtExceptionMonitor', onException)
  // A listener would hide from Node that nobody handles a rejection.
  const emit = process.emit
  process.emit = (event, ...args) =>
    event === 'unhandledRejection' && process.listenerCount(event) === 0
      ? take(args[0], event)
      : Reflect.apply(emit, process, [event, ...args])
}

export class Domain {
  isDestroyed = false
  /** Reads the test from the resource that tap runs it in. */
  constructor(onerror) {
    this.onerror = onerror
    this.parent = storage.getStore() ?? null
    const resource = executionAsyncResource()
    if (resource instanceof AsyncResource) {
      const enter = (work, self, args) => {
        if (!this.isDestroyed) running.add(this)
        return storage.run(this, () => Reflect.apply(work, self, args))
      }
      resource.runInAsyncScope = (work, self, ...args) =>
        AsyncResource.prototype.runInAsyncScope.call(resource, () => enter(work, self, args))
    } else running.add(this)
    listen()
  }

  destroy() {
    this.isDestroyed = true
    running.delete(this)
  }
}
