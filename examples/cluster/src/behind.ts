import { listen } from 'demo/services/listening'
import { createBalancer } from './balancer.ts'
import { type Instance, startProcesses } from './processes.ts'
import { watchReadiness } from './ready-instances.ts'

/** Several processes of a program behind a balancer. */
export interface Behind {
  /** The URL of the balancer. */
  readonly url: string
  readonly instances: readonly Instance[]
  readonly close: () => Promise<void>
}

/** The options of {@link startBehind}. */
export interface BehindOptions {
  /** The file of a module that calls `serve` with its application. */
  readonly program: string
  readonly environment: NodeJS.ProcessEnv
  /** The port of the balancer, if the processes must know it before it listens. @defaultValue any free port */
  readonly port?: number
  /** @defaultValue 2 */
  readonly count?: number
}

/** Starts processes of an application, and a balancer that sends each request to any of them. */
export async function startBehind({ program, environment, port = 0, count = 2 }: BehindOptions): Promise<Behind> {
  const { instances, close } = await startProcesses({ program, environment, count })
  const ports = instances.map((instance) => instance.port)
  const ready = watchReadiness(() => ports)
  const balancer = createBalancer(ready.ports)
  const front = await listen(balancer, { port, service: 'balancer', variable: 'PORT' })
  return {
    url: `http://localhost:${front.port}`,
    instances,
    close: async () => {
      ready.close()
      await front.close()
      await close()
    }
  }
}
