import { listen } from 'demo/services/listening'
import { createBalancer } from './balancer.ts'
import { type Instance, startProcesses } from './processes.ts'

/** Two processes of a program, behind a balancer. */
export interface Behind {
  /** The balancer's. */
  readonly url: string
  readonly instances: readonly Instance[]
  readonly close: () => Promise<void>
}

/** What stands behind a balancer. */
export interface BehindOptions {
  /** The file of a module that calls `serve` with its application. */
  readonly program: string
  readonly environment: NodeJS.ProcessEnv
  /** The balancer's, where the processes have to know it before it listens. @defaultValue any free one */
  readonly port?: number
  /** @defaultValue 2 */
  readonly count?: number
}

/** Starts processes of any application, and a balancer that sends each request to any of them. */
export async function startBehind({ program, environment, port = 0, count = 2 }: BehindOptions): Promise<Behind> {
  const { instances, close } = await startProcesses({ program, environment, count })
  const ports = instances.map((instance) => instance.port)
  const balancer = createBalancer(() => ports)
  const front = await listen(balancer, { port, service: 'balancer', variable: 'PORT' })
  return {
    url: `http://localhost:${front.port}`,
    instances,
    close: async () => {
      await front.close()
      await close()
    }
  }
}
