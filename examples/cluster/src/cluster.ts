import { fileURLToPath } from 'node:url'
import { startIdentityProvider } from 'demo/services/identity-provider'
import { inbox } from 'demo/services/inbox'
import { listen } from 'demo/services/listening'
import { startMailServer } from 'demo/services/mail-server'
import Fastify from 'fastify'
import { createBalancer } from './balancer.ts'
import { type Instance, startProcesses } from './processes.ts'
import { watchReadiness } from './ready-instances.ts'
import { type Settings, toEnvironment } from './settings.ts'

const program = fileURLToPath(new URL('instance.js', import.meta.url))

/** The options of the cluster. */
export interface ClusterOptions extends Pick<Settings, 'database' | 'redis' | 'session'> {
  /** @defaultValue any free port */
  readonly port?: number
  /** @defaultValue 2 */
  readonly instances?: number
  readonly prefix?: string
}

/** Several instances behind one URL, with the services that they use. */
export interface Cluster {
  readonly url: string
  readonly instances: readonly Instance[]
  readonly close: () => Promise<void>
}

/** Starts the services, the instances, and the balancer in front of them. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { port = 0, instances: count = 2, prefix = 'cluster:', ...shared } = options
  const mailServer = await startMailServer({ port: 0 })
  const mailbox = Fastify()
  await mailbox.register(inbox, { mails: mailServer.mails })
  const mails = Number(new URL(await mailbox.listen({ host: '127.0.0.1', port: 0 })).port)
  const ports: number[] = []
  const ready = watchReadiness(() => ports)
  const balancer = createBalancer((path) => (path.startsWith('/inbox') ? [mails] : ready.ports()))
  const front = await listen(balancer, { port, service: 'balancer', variable: 'PORT' })
  const url = `http://localhost:${front.port}`
  const client = { clientId: 'cluster', clientSecret: 'cluster-secret' }
  const provider = await startIdentityProvider({ ...client, port: 0, redirectUris: [`${url}/api/auth/callback/demo`] })
  const settings: Settings = {
    ...shared,
    url,
    prefix,
    secret: process.env['AUTH_SECRET'] ?? 'the secret that all instances of an example share',
    provider: { issuer: provider.issuer, ...client },
    mailServer: mailServer.url
  }
  const stopServices = async (): Promise<void> => {
    ready.close()
    await Promise.all([front.close(), mailbox.close(), provider.close(), mailServer.close()])
  }
  try {
    const { instances, close } = await startProcesses({ program, environment: toEnvironment(settings), count })
    ports.push(...instances.map((instance) => instance.port))
    return { url, instances, close: () => close().then(stopServices) }
  } catch (error) {
    await stopServices()
    throw error
  }
}
