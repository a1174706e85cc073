// One of several processes of the example.
import { serve } from 'cluster/serve'
import { openShared } from 'cluster/shared'
import { createApp } from '../src/server.ts'
import type { Settings } from './cluster.ts'

const { shared: places, ...environment }: Settings = JSON.parse(process.env['CLUSTER_SETTINGS'] ?? '{}')
const shared = openShared(places)
const app = await createApp({ ...environment, adapter: shared.adapter, limiter: shared.limiter, isBehindProxy: true })
await shared.ready()
await serve(app, shared.close)
