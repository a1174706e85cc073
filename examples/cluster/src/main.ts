// Two instances of the demo behind a balancer that sends each request to either of them.
//
//   npm start                 in examples/cluster, with PostgreSQL and Redis running

import { startCluster } from './cluster.ts'

const { DATABASE_URL, REDIS_URL, PORT = '3000', SESSION } = process.env

const cluster = await startCluster({
  database: DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  redis: REDIS_URL ?? 'redis://127.0.0.1:6379',
  session: SESSION === 'jwt' ? 'jwt' : 'database',
  port: Number(PORT)
})
const processes = cluster.instances.map(({ process: { pid }, port }) => `${pid} on port ${port}`)
console.log(`
  Cluster     ${cluster.url}
  Inbox       ${cluster.url}/inbox
  Instances   ${processes.join(', ')}: kill one and go on
`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cluster.close().then(() => process.exit(0)))
