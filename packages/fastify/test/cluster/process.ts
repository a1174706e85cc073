import { serveParent } from '@postern/testkit/remote'
import { openApplication } from '../application.ts'
import { behind } from '../store-probe.ts'
import { classes, isRemoteSetup, type Reachable, type RemoteInstance } from './exchanged.ts'
import { openFooting } from './ground.ts'
import { limitedBy } from './instances.ts'

// The other process of a test's applications: it makes their second instances, and answers their requests.
serveParent(async (setup): Promise<RemoteInstance> => {
  if (!isRemoteSetup(setup)) throw new TypeError('expected what an instance is made of')
  const { ground, gate, environment, options, ...others } = setup
  process.env = { ...environment }
  const footing = ground ? openFooting(ground, options.runtime?.now ?? Date.now) : null
  const adapter = footing && gate ? { adapter: behind(gate, footing.adapter) } : {}
  const own = footing ? { rateLimit: limitedBy(options, footing.limiter), ...adapter } : {}
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
      await footing?.close()
    }
  }
}, classes)
