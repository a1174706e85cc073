import { join } from 'node:path'
import { type RemoteProcess, startProcess, whyNot } from '@postern/testkit/remote'
import { classes, isRemoteInstance, type RemoteInstance, type RemoteSetup } from './exchanged.ts'

/** One process for each instance but the first, for all applications of a file. */
const processes = new Map<number, RemoteProcess>()

function getProcess(index: number): RemoteProcess {
  const known = processes.get(index)
  if (known) return known
  const started = startProcess(join(import.meta.dirname, 'process.js'), classes)
  processes.set(index, started)
  return started
}

/** Why an instance cannot be made in another process; `null` where it can. */
export const reasonAgainst = ({ options, server }: RemoteSetup): string | null => whyNot({ options, server })

/** Makes an instance in another process. */
export async function openRemote(index: number, setup: RemoteSetup): Promise<RemoteInstance> {
  const instance = await getProcess(index).call(setup)
  if (!isRemoteInstance(instance)) throw new TypeError('expected an instance')
  return instance
}
