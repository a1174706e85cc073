import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { freePort } from '@postern/testkit'
import { Cluster, Redis } from 'ioredis'
import type { Test } from 'tap'
import { until } from '../until.ts'

/** Whether the program is there that the nodes of a cluster run. */
export const hasProgram: boolean = spawnSync('redis-server', ['--version']).status === 0

async function startNode(t: Test, directory: string, slots: readonly [number, number]): Promise<Redis> {
  const port = await freePort()
  const flags = ['--cluster-enabled', 'yes', '--cluster-config-file', `${port}.conf`, '--save', '', '--dir', directory]
  const node: ChildProcess = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', ...flags])
  t.teardown(() => node.kill())
  // It waits until the program listens.
  const client = new Redis({ port, retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => undefined)
  t.teardown(() => client.disconnect())
  await client.cluster('ADDSLOTSRANGE', ...slots)
  return client
}

/** Starts a cluster of two nodes, which stops after the test. */
export async function startCluster(t: Test): Promise<Cluster> {
  const directory = t.testdir({})
  const one = await startNode(t, directory, [0, 8191])
  const other = await startNode(t, directory, [8192, 16383])
  const port = other.options.port ?? 0
  await one.cluster('MEET', '127.0.0.1', port)
  for (const node of [one, other]) {
    await until(async () => {
      const info = `${await node.cluster('INFO')}`
      return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:2')
    })
  }
  const cluster = new Cluster([{ host: '127.0.0.1', port }])
  t.teardown(() => cluster.disconnect())
  return cluster
}
