import { serveParent } from '@postern/testkit/remote'
import { openApplication } from '../application.ts'
import { behind } from '../store-probe.ts'
import { openBackends } from './environment.ts'
import { classes, isRemoteSetup, type Reachable, type RemoteInstance } from './exchanged.ts'
import { limitedBy } from './instances.ts'

// The other process of a test's applications: it makes their second instances, and answers their requests.
serveParent(async (setup): Promise<RemoteInstance> => {
  if (!isRemoteSetup(setup)) throw new TypeError('expected what an instance is made of')
  const { services, gate, environment, options, ...others } = setup
  process.env = { ...environment }
  const backends = services ? openBackends(services, options.runtime?.now ?? Date.now) : null
  const adapter = backends && gate ? { adapter: behind(gate, backends.adapter) } : {}
  const own = backends ? { rateLimit: limitedBy(options, backends.limiter), ...adapter } : {}
  const { app, urls } = await openApplication({ ...others, options: { ...options, ...own } })
  const reachable: Reachable = app
  return {
    urls,
    inject: async (request) => {
      const { statusCode, headers, body } = await reachable.inject(request)
      return { statusCode, headers: { ...headers }, body }
    },
    close: async () => {
      await app.close()
      await backends?.close()
    }
  }
}, classes)
