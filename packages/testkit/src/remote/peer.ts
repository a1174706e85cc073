import type { ErrorClasses } from './errors.ts'
import { type Callable, decode, type Ends, encode, encodeArgument, isCallable, type Kept } from './wire.ts'

/** A call of a function of the other process. */
export interface Call {
  readonly number: number
  readonly args: unknown
}

/** What came of a call: an answer, an error, or the number of an answer that is to come. */
export type Outcome =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'error'; readonly value: unknown }
  | { readonly kind: 'later'; readonly id: number }

export type Message =
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  | { readonly kind: 'tell'; readonly call: Call }
  | { readonly kind: 'settle'; readonly id: number; readonly outcome: Outcome }

export interface PeerOptions {
  readonly classes: ErrorClasses
  /** Sends a message that is read in its turn. */
  readonly send: (message: Message) => void
  /** Calls and waits, doing nothing else, where that is possible. */
  readonly callNow?: (call: Call) => Outcome
  /** Is told how many answers are awaited. */
  readonly onWaiting?: (count: number) => void
}

/** One of two processes that call each other's functions. */
export interface Peer extends Ends {
  readonly receive: (message: Message) => void
  /** Makes a call of the other's, as far as it is done at once. */
  readonly answerNow: (call: Call) => Outcome
  /** Fails whatever is still awaited. */
  readonly fail: (error: Error) => void
}

interface Settling {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** The answers that are to come, by number. */
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

/** The functions of both processes, as this one sees them. */
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
    // What is asked for at once may be asked by somebody else, such as a framework, with whatever that passes.
    const write = callNow ? encodeArgument : encode
    const made: Callable = (...args) => make({ number, args: args.map((arg) => write(arg, ends)) })
    numbers.set(made, number)
    return made
  }
  const ends: Ends = {
    classes,
    keep: (call, owner) => functions.push({ call, owner }) - 1,
    kept: (number) => functions[number] ?? refuse(number),
    numberOf: (call) => numbers.get(call),
    reach: (number) => stub(number, callNow ? (call) => read(callNow(call)) : callLater),
    tell: (number) => stub(number, (call) => send({ kind: 'tell', call }))
  }
  return ends
}

type Read = (outcome: Outcome) => unknown

function refuse(number: number): never {
  throw new RangeError(`there is no function ${number}`)
}

/** Makes one end. */
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
  const settle = (id: number, answer: PromiseLike<unknown>): void =>
    void answer.then(
      (value) => send({ kind: 'settle', id, outcome: written('answer', value) }),
      (error: unknown) => send({ kind: 'settle', id, outcome: written('error', error) })
    )
  const make = ({ number, args }: Call): unknown => {
    const given = decode(args, ends)
    const { call, owner } = ends.kept(number)
    // An object may have another method of that name by now.
    const current: unknown = owner ? Reflect.get(owner.self, owner.name) : call
    return Reflect.apply(isCallable(current) ? current : call, owner?.self, Array.isArray(given) ? given : [])
  }
  return {
    ...ends,
    fail: waiting.fail,
    answerNow: (call) => {
      try {
        const answer = make(call)
        if (!isThenable(answer)) return written('answer', answer)
        const id = ++later
        settle(id, answer)
        return { kind: 'later', id }
      } catch (error) {
        return written('error', error)
      }
    },
    receive: (message) => {
      if (message.kind === 'tell') return void make(message.call)
      if (message.kind === 'call') return settle(message.id, (async () => make(message.call))())
      waiting.settle(message.id, () => read(message.outcome))
    }
  }
}
