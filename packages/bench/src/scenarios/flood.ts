import type { Job } from '../load/drive.ts'
import { expectResponse, write } from '../load/visitor.ts'
import { refusalsPerRequest } from '../subjects/subject.ts'
import { getDialect, heldCsrfToken } from './dialect.ts'
import { asVisitor, type Site } from './site.ts'

/** A sign-in with a wrong password, which is refused. */
function guess(site: Site): Promise<Job> {
  return asVisitor(site, async (visitor) => {
    await getDialect(site).prepareOAuth(visitor)
    const form = { csrfToken: heldCsrfToken(visitor), username: 'nobody', password: 'a guess', json: 'true' }
    const { cookies } = visitor
    const request = write({ path: '/api/auth/callback/people', form, cookies, origin: site.origin })
    return async (connection) => expectResponse(await connection.send(request), 401)
  })
}

/** Refusals that the server reports without responses to them. */
const report = async (site: Site): Promise<Job> => {
  const request = write({ path: '/refuse', json: {}, origin: site.origin })
  return async (connection) => expectResponse(await connection.send(request), 200)
}

/** A server, and how it is flooded. */
export interface FloodKind {
  readonly title: string
  readonly subject: 'postern' | 'postern-audit-log'
  readonly make: (site: Site) => Promise<Job>
  /** The refusals of one request. */
  readonly each: number
  /** The share of the rate: over HTTP, it leaves the server time for the sign-ins. */
  readonly share: number
}

/** Without the audit log first. */
export const floodKinds: readonly FloodKind[] = [
  { title: 'no audit log, wrong passwords', subject: 'postern', make: guess, each: 1, share: 0.1 },
  { title: 'audit log, wrong passwords', subject: 'postern-audit-log', make: guess, each: 1, share: 0.1 },
  {
    title: 'audit log, reported directly',
    subject: 'postern-audit-log',
    make: report,
    each: refusalsPerRequest,
    share: 1
  }
]
