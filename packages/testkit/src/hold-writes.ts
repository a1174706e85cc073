import { AsyncLocalStorage } from 'node:async_hooks'

/** A request that stops before one of its writes, until the process is killed. */
interface HeldRequest {
  writesLeft: number
  isHeld: boolean
}

const requests = new AsyncLocalStorage<HeldRequest>()

/** Stops forever, and reports it to the parent as `{ isHeld: true }`. */
function hold(request: HeldRequest): Promise<never> {
  if (!request.isHeld) process.send?.({ isHeld: true })
  request.isHeld = true
  return new Promise(() => undefined)
}

/**
 * Runs what handles a request. With `x-hold-at`, its write of this number stops, or {@link holdResponse} if it makes fewer.
 *
 * @param holdAt - The header.
 */
export function runRequest<T>(holdAt: string | readonly string[] | undefined, handle: () => T): T {
  return holdAt === undefined ? handle() : requests.run({ writesLeft: Number(holdAt), isHeld: false }, handle)
}

/** Stops before the response if the request that is handled is one to hold. */
export async function holdResponse(): Promise<void> {
  const request = requests.getStore()
  if (request) await hold(request)
}

const isWrite = (name: string): boolean =>
  !/^(get|list|find|read|is|check|deleteExpired|deleteEvents|close|ready|withLease)/.test(name)

/** Stops the writes of requests that {@link runRequest} holds. */
export function withHeldWrites<A extends object>(adapter: A): A {
  return new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string' || !isWrite(name)) return method
      const counted = async (...args: readonly unknown[]): Promise<unknown> => {
        const request = requests.getStore()
        if (request && request.writesLeft-- <= 0) await hold(request)
        return Reflect.apply(method, target, args)
      }
      return Object.assign(counted, { ...method })
    }
  })
}
