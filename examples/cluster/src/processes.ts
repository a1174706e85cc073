import { type ChildProcess, fork } from 'node:child_process'

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

function startOne({ program, environment }: ProcessesOptions): Promise<Instance> {
  const child = fork(program, { env: { ...process.env, ...environment }, execArgv: [] })
  return new Promise((resolve, reject) => {
    child.once('message', ({ port }: { readonly port: number }) => resolve({ process: child, port }))
    child.once('exit', (code) => reject(new Error(`an instance ended before it was ready, with ${code}`)))
  })
}

function stop({ process: child }: Instance): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  return ended
}

/** Starts several processes of a program; if one fails to start, all are stopped. */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const started = await Promise.allSettled(Array.from({ length: options.count }, () => startOne(options)))
  const instances = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const close = async (): Promise<void> => {
    await Promise.all(instances.map(stop))
  }
  const failed = started.find((result) => result.status === 'rejected')
  if (!failed) return { instances, close }
  await close()
  throw failed.reason
}
