import { randomBytes } from 'node:crypto'
import { driveTimes, type Job } from '../load/drive.ts'
import { expectResponse, Visitor } from '../load/visitor.ts'
import type { MemoryFigure } from '../report/results.ts'
import { getDialect } from '../scenarios/dialect.ts'
import { type Entrant, getJob, type Lineup } from '../scenarios/lineup.ts'
import { getScenario } from '../scenarios/scenarios.ts'
import type { SubjectName } from '../subjects/subject.ts'

const samples = 10

/** A visitor without an account, a new one each time, who looks around and begins to sign in. */
function strangers({ site }: Entrant): Job {
  return async (connection) => {
    const visitor = new Visitor(connection, site.origin)
    visitor.cookies = new Map([['next-auth.session-token', randomBytes(40).toString('base64url')]])
    expectResponse(await visitor.ask({ path: '/api/auth/session' }), 200)
    const dialect = getDialect(site)
    await dialect.prepareOAuth(visitor)
    expectResponse(await visitor.ask({ path: `/api/auth/signin?callbackUrl=/${randomBytes(6).toString('hex')}` }), 200)
    await dialect.startOAuth(visitor)
  }
}

interface Course {
  readonly name: string
  readonly job: Job
  readonly requests: number
  /** Requests of one turn of the job. */
  readonly each: number
}

async function sample(entrant: Entrant, { name, job, requests, each }: Course): Promise<MemoryFigure> {
  const taken: { requests: number; rss: number; heap: number }[] = []
  for (let done = 0; ; done += requests / samples) {
    const { rss, heap } = await entrant.server.usage()
    taken.push({ requests: done, rss, heap })
    if (done >= requests) return { subject: entrant.name, job: name, samples: taken }
    await driveTimes(entrant.server, job, Math.ceil(requests / samples / each), 16)
  }
}

/** Memory as requests go by; the heap after a collection each time. */
export async function measureMemory(lineup: Lineup, requests: number): Promise<MemoryFigure[]> {
  const figures: MemoryFigure[] = []
  const open = (name: SubjectName): Promise<Entrant> => lineup.start(name, false, { execArgv: ['--expose-gc'] })
  for (const name of ['fastify', 'postern', 'next-auth', 'auth-js', 'better-auth'] as const) {
    const entrant = await open(name)
    // The others are slow: a fifth of the requests is enough to see where they stand.
    const share = name === 'fastify' || name === 'postern' ? requests : requests / 5
    figures.push(
      await sample(entrant, { name: 'session', job: await getJob(getScenario('A'), entrant), requests: share, each: 1 })
    )
    await entrant.server.stop()
  }
  const entrant = await open('postern')
  figures.push(
    await sample(entrant, { name: 'visitors without an account', job: strangers(entrant), requests, each: 4 })
  )
  await entrant.server.stop()
  return figures
}
