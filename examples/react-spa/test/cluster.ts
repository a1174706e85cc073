import { join } from 'node:path'
import { startBehind } from 'cluster/behind'
import { makeThrowaway, type Throwaway } from 'cluster/throwaway'
import { startIdentityProvider } from '../src/identity-provider.ts'
import { type Mail, startMailServer } from '../src/mail-server.ts'
import type { Running, ServerEnvironment } from '../src/server.ts'

/** With `POSTERN_CLUSTER=1` the example runs in two processes behind a balancer. */
export const isClustered = Boolean(process.env['POSTERN_CLUSTER'])

/** What each process has to know. */
export interface Settings extends Omit<ServerEnvironment, 'adapter' | 'limiter' | 'trustProxy'> {
  readonly shared: Omit<Throwaway, 'drop'>
}

/** The options of the example, for one or more processes. */
export interface Front {
  readonly port: number
  readonly pages: string
  readonly onMail: (mail: Mail) => void
}

/** Starts two processes of the example on PostgreSQL and Redis, behind a balancer at this port. */
export async function startClustered({ port, pages, onMail }: Front): Promise<Running> {
  const url = `http://localhost:${port}`
  const client = { clientId: 'react-spa', clientSecret: 'a secret of the example' }
  const provider = await startIdentityProvider(0, { ...client, redirectUri: `${url}/api/auth/callback/demo` })
  const mailServer = await startMailServer(0, onMail)
  const { drop, ...shared } = await makeThrowaway()
  const settings: Settings = {
    url,
    pages,
    logLevel: 'silent',
    secret: 'the secret that all processes of the example share',
    provider: { issuer: provider.issuer, ...client },
    mailServer: mailServer.url,
    shared
  }
  const environment = { CLUSTER_SETTINGS: JSON.stringify(settings) }
  const { instances, close } = await startBehind({
    program: join(import.meta.dirname, 'instance.js'),
    environment,
    port
  })
  console.log(`cluster: react-spa in ${instances.length} processes behind a balancer, on PostgreSQL and Redis`)
  return {
    url,
    close: async () => {
      await close()
      await Promise.all([provider.close(), mailServer.close(), drop()])
    }
  }
}
