import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** One running instance. */
export interface Instance {
  readonly process: ChildProcess
  readonly port: number
}

/** Several processes of one program. */
export interface Processes {
  readonly instances: readonly Instance[]
  readonly close: () => Promise<void>
}

/** The options of {@link startProcesses}. */
export interface ProcessesOptions {
  /** The file of a module that listens on any free port, and then sends `{ port }` to its parent. */
  readonly program: string
  readonly environment: NodeJS.ProcessEnv
  readonly count: number
}

/** Starts one process of a program. */
export function startProcess({
  program,
  environment
}: Pick<ProcessesOptions, 'program' | 'environment'>): Promise<Instance> {
  const child = fork(program, { env: { ...process.env, ...environment }, execArgv: [] })
  return new Promise((resolve, reject) => {
    child.once('message', ({ port }: { readonly port: number }) => resolve({ process: child, port }))
    child.once('exit', (code) => reject(new Error(`an instance ended before it was ready, with ${code}`)))
  })
}

/** Stops a process: `SIGTERM` drains it first. @returns The exit code. */
export async function stopProcess({ process: child }: Instance, signal: 'SIGINT' | 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  return child.exitCode
}

/** Starts several processes of a program; if one fails to start, all are stopped. */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const started = await Promise.allSettled(Array.from({ length: options.count }, () => startProcess(options)))
  const instances = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const close = async (): Promise<void> => {
    await Promise.all(instances.map((instance) => stopProcess(instance, 'SIGINT')))
  }
  const failed = started.find((result) => result.status === 'rejected')
  if (!failed) return { instances, close }
  await close()
  throw failed.reason
}
