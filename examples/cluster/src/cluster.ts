import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startIdentityProvider } from 'demo/services/identity-provider'
import { inbox } from 'demo/services/inbox'
import { listen } from 'demo/services/listening'
import { startMailServer } from 'demo/services/mail-server'
import Fastify from 'fastify'
import { createBalancer } from './balancer.ts'
import { type Settings, toEnvironment } from './settings.ts'

const program = fileURLToPath(new URL('instance.js', import.meta.url))

/** What the cluster is started with. */
export interface ClusterOptions extends Pick<Settings, 'database' | 'redis' | 'session'> {
  /** @defaultValue any free one */
  readonly port?: number
  /** @defaultValue 2 */
  readonly instances?: number
  readonly prefix?: string
}

/** One running instance. */
export interface Instance {
  readonly process: ChildProcess
  readonly port: number
}

/** Several instances behind one address, with the services that they sign in with. */
export interface Cluster {
  readonly url: string
  readonly instances: readonly Instance[]
  readonly close: () => Promise<void>
}

function startInstance(settings: Settings): Promise<Instance> {
  const child = fork(program, { env: { ...process.env, ...toEnvironment(settings) } })
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

/** Starts the services, the instances, and the balancer in front of them. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { port = 0, instances: count = 2, prefix = 'cluster:', ...shared } = options
  const mailServer = await startMailServer({ port: 0 })
  const mailbox = Fastify()
  await mailbox.register(inbox, { mails: mailServer.mails })
  const mails = Number(new URL(await mailbox.listen({ host: '127.0.0.1', port: 0 })).port)
  const ports: number[] = []
  const balancer = createBalancer((path) => (path.startsWith('/inbox') ? [mails] : ports))
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
  const started = await Promise.allSettled(Array.from({ length: count }, () => startInstance(settings)))
  const instances = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  ports.push(...instances.map((instance) => instance.port))
  const close = async (): Promise<void> => {
    await Promise.all(instances.map(stop))
    await Promise.all([front.close(), mailbox.close(), provider.close(), mailServer.close()])
  }
  const failed = started.find((result) => result.status === 'rejected')
  if (!failed) return { url, instances, close }
  await close()
  throw failed.reason
}
