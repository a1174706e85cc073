import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a process says of itself. */
export interface Usage {
  /** Microseconds of user and system time, all threads. */
  readonly cpu: number
  /** Bytes. */
  readonly rss: number
  /** Bytes of JavaScript objects; after a collection where the process was started with `--expose-gc`. */
  readonly heap: number
}

/** A process that serves. */
export interface ServerProcess {
  readonly port: number
  usage(): Promise<Usage>
  /** Ends it, and waits for the end: a profile is written by then. */
  stop(): Promise<void>
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function numberIn(message: unknown, name: string): number {
  const value = isRecord(message) ? message[name] : undefined
  if (typeof value === 'number') return value
  throw new TypeError(`expected a message with ${name}, got ${JSON.stringify(message)}`)
}

/** The next message of a process; its end is an error. */
function nextMessage(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      child.off('message', onMessage)
      reject(new Error(`${name} ended with ${code}`))
    }
    const onMessage = (message: unknown): void => {
      child.off('exit', onExit)
      resolve(message)
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}

/** How a process is started. */
export interface ProcessOptions {
  /** @defaultValue none */
  readonly execArgv?: readonly string[]
  /** The folder of another checkout, whose program is started. @defaultValue this one */
  readonly root?: string | null
}

/**
 * Starts one of our programs in a process of its own, and waits until it listens.
 *
 * @param program - A file beside the folders of the sources, without extension.
 */
export async function startProcess(
  program: 'server' | 'issuer' | 'build-server' | 'feature-server',
  settings: object,
  { execArgv = [], root = null }: ProcessOptions = {}
): Promise<ServerProcess> {
  const folder = root === null ? fileURLToPath(new URL('..', import.meta.url)) : join(root, 'packages/bench/dist')
  const child = fork(join(folder, `${program}.js`), [JSON.stringify(settings)], {
    execArgv: [...execArgv],
    env: { ...process.env, NODE_ENV: 'production' }
  })
  const port = numberIn(await nextMessage(child, program), 'port')
  return {
    port,
    usage: async () => {
      const message = nextMessage(child, program)
      child.send('usage')
      const response = await message
      return { cpu: numberIn(response, 'cpu'), rss: numberIn(response, 'rss'), heap: numberIn(response, 'heap') }
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.send('stop')
      await ended
    }
  }
}
