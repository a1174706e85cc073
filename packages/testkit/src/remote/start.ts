import { type ChildProcess, fork } from 'node:child_process'
import { Duplex } from 'node:stream'
import type { ErrorClasses } from './errors.ts'
import { frameReader, toFrame } from './frames.ts'
import { type Call, createPeer, type Message } from './peer.ts'
import { type Callable, CannotCross, encode } from './wire.ts'

/** A process that offers a function with `serveParent`. */
export interface RemoteProcess {
  readonly pid: number | undefined
  /** Calls the function. @throws CannotCross synchronously, if arguments cannot be passed. */
  readonly call: (...args: readonly unknown[]) => Promise<unknown>
  readonly kill: () => void
}

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null && 'kind' in value
const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null && 'number' in value

/** The stream that the process reads results from. */
function getMethod({ stdio }: ChildProcess): Duplex {
  const [, , , , method] = stdio
  if (method instanceof Duplex) return method
  throw new TypeError('expected a way to the process')
}

/**
 * Starts a Node.js program. It only keeps this process alive while calls are pending; if it exits on its own, that is
 * an uncaught error.
 */
export function startProcess(program: string, classes: ErrorClasses = {}): RemoteProcess {
  const child = fork(program, [], {
    execArgv: [],
    serialization: 'advanced',
    // The output of the program goes to stderr, separate from this process's output.
    stdio: ['ignore', 2, 2, 'ipc', 'pipe']
  })
  const method = getMethod(child)
  const peer = createPeer({
    classes,
    send: (message) => {
      if (child.connected) child.send(message)
      else if (message.kind === 'call') throw new Error('the process has ended')
    },
    onWaiting: (count) => (count > 0 ? child.channel?.ref() : child.channel?.unref())
  })
  const onCall = (call: unknown): void => {
    if (isCall(call)) method.write(toFrame(peer.answerNow(call)))
  }
  method.on('data', frameReader(onCall))
  method.on('error', () => undefined)
  child.on('message', (message) => {
    if (isMessage(message)) peer.receive(message)
  })
  let isKilled = false
  child.once('exit', (code, signal) => {
    const error = new Error(`the process ended: ${code ?? signal}`)
    peer.fail(error)
    if (!isKilled) throw error
  })
  const kill = (): void => {
    isKilled = true
    child.kill('SIGKILL')
  }
  process.once('exit', kill)
  child.unref()
  child.channel?.unref()
  if ('unref' in method && typeof method.unref === 'function') method.unref()
  const root: Callable = peer.reach(0)
  return { pid: child.pid, call: async (...args) => root(...args), kill }
}

/** Why these arguments cannot be passed to another process; `null` if they can. */
export function whyNot(value: unknown): string | null {
  try {
    encode(value, createPeer({ classes: {}, send: () => undefined }))
    return null
  } catch (error) {
    if (error instanceof CannotCross) return error.message
    throw error
  }
}
