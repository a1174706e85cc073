import type { ErrorClasses } from './errors.ts'
import { type Callable, decode, type Ends, encode, encodeArgument, isCallable, type Kept } from './wire.ts'

/** A call of a function in the other process. */
export interface Call {
  readonly number: number
  readonly args: unknown
}

/** The outcome of a call: a result, an error, or the number of a pending result. */
export type Outcome =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'error'; readonly value: unknown }
  | { readonly kind: 'later'; readonly id: number }

export type Message =
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  | { readonly kind: 'notify'; readonly call: Call }
  | { readonly kind: 'settle'; readonly id: number; readonly outcome: Outcome }

export interface PeerOptions {
  readonly classes: ErrorClasses
  /** Sends an asynchronous message. */
  readonly send: (message: Message) => void
  /** Calls and blocks until the result arrives, if possible. */
  readonly callNow?: (call: Call) => Outcome
  /** Called with the number of pending results. */
  readonly onWaiting?: (count: number) => void
}

/** One of two processes that call each other's functions. */
export interface Peer extends Ends {
  readonly receive: (message: Message) => void
  /** Handles a call of the other process, as far as it is synchronous. */
  readonly answerNow: (call: Call) => Outcome
  /** Rejects all pending results. */
  readonly fail: (error: Error) => void
}

interface Settling {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** The pending results, by number. */
function createWaiting(onWaiting: (count: number) => void) {
  const waiting = new Map<number, Settling>()
  return {
    wait: (id: number): Promise<unknown> =>
      new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        onWaiting(waiting.size)
      }),
    settle: (id: number, read: () => unknown): void => {
      const settling = waiting.get(id)
      waiting.delete(id)
      onWaiting(waiting.size)
      try {
        settling?.resolve(read())
      } catch (error) {
        settling?.reject(error)
      }
    },
    fail: (error: Error): void => {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
      onWaiting(0)
    }
  }
}

type Waiting = ReturnType<typeof createWaiting>

/** The functions of both processes, as seen by this one. */
function createEnds({ classes, callNow, send }: PeerOptions, wait: Waiting['wait'], read: Read): Ends {
  const functions: Kept[] = []
  const numbers = new WeakMap<Callable, number>()
  let ids = 0
  const callLater = (call: Call): Promise<unknown> => {
    const id = ++ids
    send({ kind: 'call', id, call })
    return wait(id)
  }
  const stub = (number: number, make: (call: Call) => unknown): Callable => {
    // A synchronous call may come from other code, such as a framework, with arguments that cannot be passed.
    const write = callNow ? encodeArgument : encode
    const made: Callable = (...args) => make({ number, args: args.map((arg) => write(arg, ends)) })
    numbers.set(made, number)
    return made
  }
  const ends: Ends = {
    classes,
    keep: (call, owner) => functions.push({ call, owner }) - 1,
    stored: (number) => functions[number] ?? refuse(number),
    getNumber: (call) => numbers.get(call),
    reach: (number) => stub(number, callNow ? (call) => read(callNow(call)) : callLater),
    notify: (number) => stub(number, (call) => send({ kind: 'notify', call }))
  }
  return ends
}

type Read = (outcome: Outcome) => unknown

function refuse(number: number): never {
  throw new RangeError(`there is no function ${number}`)
}

/** Creates one end of the connection. */
export function createPeer(options: PeerOptions): Peer {
  const { send, onWaiting = () => undefined } = options
  const waiting = createWaiting(onWaiting)
  let later = 0
  const read: Read = (outcome) => {
    if (outcome.kind === 'later') return waiting.wait(outcome.id)
    if (outcome.kind === 'error') throw decode(outcome.value, ends)
    return decode(outcome.value, ends)
  }
  const ends = createEnds(options, waiting.wait, read)
  const written = (kind: 'answer' | 'error', value: unknown): Outcome => {
    try {
      return { kind, value: encode(value, ends) }
    } catch (error) {
      return { kind: 'error', value: encode(error, ends) }
    }
  }
  const settle = (id: number, result: PromiseLike<unknown>): void =>
    void result.then(
      (value) => send({ kind: 'settle', id, outcome: written('answer', value) }),
      (error: unknown) => send({ kind: 'settle', id, outcome: written('error', error) })
    )
  const make = ({ number, args }: Call): unknown => {
    const given = decode(args, ends)
    const { call, owner } = ends.stored(number)
    // The object's method may have been replaced.
    const current: unknown = owner ? Reflect.get(owner.self, owner.name) : call
    return Reflect.apply(isCallable(current) ? current : call, owner?.self, Array.isArray(given) ? given : [])
  }
  return {
    ...ends,
    fail: waiting.fail,
    answerNow: (call) => {
      try {
        const result = make(call)
        if (!isThenable(result)) return written('answer', result)
        const id = ++later
        settle(id, result)
        return { kind: 'later', id }
      } catch (error) {
        return written('error', error)
      }
    },
    receive: (message) => {
      if (message.kind === 'notify') return void make(message.call)
      if (message.kind === 'call') return settle(message.id, (async () => make(message.call))())
      waiting.settle(message.id, () => read(message.outcome))
    }
  }
}
