// One process of the example where it runs in several.
import { serve } from 'cluster/serve'
import { openShared } from 'cluster/shared'
import { createApp } from '../src/server.ts'
import type { Settings } from './cluster.ts'

const { shared: places, ...ground }: Settings = JSON.parse(process.env['CLUSTER_SETTINGS'] ?? '{}')
const shared = openShared(places)
const app = await createApp({ ...ground, adapter: shared.adapter, limiter: shared.limiter, trustProxy: true })
await shared.ready()
await serve(app, shared.close)
