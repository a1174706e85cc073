import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '@postern/testkit'
import { Cluster, Redis } from 'ioredis'
import type { Test } from 'tap'
import { until } from '../until.ts'

/** Whether the program is there that the nodes of a cluster run. */
export const hasProgram: boolean = spawnSync('redis-server', ['--version']).status === 0

interface ClusterNode {
  readonly client: Redis
  readonly port: number
  /** The port that the other nodes connect to. */
  readonly busPort: number
}

/** Starts a node. Another program may get one of its ports before it listens: it ends then, and others are tried. */
async function startNode(t: Test, directory: string, slots: readonly [number, number]): Promise<ClusterNode> {
  // The default is the port of clients plus 10000, which may be one of the ephemeral ports of the system.
  const [port, busPort] = [await freePort(), await freePort()]
  const ports = ['--port', `${port}`, '--cluster-port', `${busPort}`, '--bind', '127.0.0.1']
  const flags = ['--cluster-enabled', 'yes', '--cluster-config-file', `${port}.conf`, '--save', '', '--dir', directory]
  const node: ChildProcess = spawn('redis-server', [...ports, ...flags])
  t.teardown(() => node.kill())
  // It waits until the program listens.
  const client = new Redis({ port, retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => undefined)
  t.teardown(() => client.disconnect())
  const isStarted = await Promise.race([
    client.cluster('ADDSLOTSRANGE', ...slots).then(() => true),
    once(node, 'exit').then(() => false)
  ])
  return isStarted ? { client, port, busPort } : startNode(t, directory, slots)
}

/** Starts a cluster of two nodes, which stops after the test. */
export async function startCluster(t: Test): Promise<Cluster> {
  const directory = t.testdir({})
  const one = await startNode(t, directory, [0, 8191])
  const other = await startNode(t, directory, [8192, 16383])
  await one.client.call('CLUSTER', 'MEET', '127.0.0.1', other.port, other.busPort)
  for (const { client } of [one, other]) {
    await until(async () => {
      const info = `${await client.cluster('INFO')}`
      return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:2')
    })
  }
  const cluster = new Cluster([{ host: '127.0.0.1', port: other.port }])
  t.teardown(() => cluster.disconnect())
  return cluster
}
