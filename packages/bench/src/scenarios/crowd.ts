import type { Job } from '../load/drive.ts'
import { expectResponse, Visitor, write } from '../load/visitor.ts'
import { type Crowd, getName, getSubject, getUserId } from '../stores/crowd.ts'
import { cookieName } from '../stores/tokens.ts'
import { expectSignedIn, getDialect } from './dialect.ts'
import { asVisitor, type Site, visitIssuer } from './site.ts'

/** What somebody of a crowd does, somebody else each time. */
export interface CrowdJob {
  readonly title: string
  readonly asksProvider: boolean
  /** Makes the job; its first answers have been checked. */
  readonly make: (site: Site, crowd: Crowd) => Promise<Job>
}

const path = '/api/auth/session'

function anybody({ users }: Crowd): number {
  return Math.floor(Math.random() * users)
}

/** Signs somebody in once, and asks whether it is them. */
async function expectPerson(site: Site, number: number, signIn: (visitor: Visitor) => Promise<void>): Promise<void> {
  await asVisitor(site, async (visitor) => {
    await signIn(visitor)
    expectResponse(await visitor.ask({ path }), 200, `"${getName(number)}"`)
  })
}

async function session(site: Site, crowd: Crowd): Promise<Job> {
  return async (connection) => {
    const number = anybody(crowd)
    const cookies = new Map([[cookieName, crowd.tokens[number] ?? '']])
    expectResponse(await connection.send(write({ path, origin: site.origin, cookies })), 200, `"${getName(number)}"`)
  }
}

async function form(site: Site, crowd: Crowd): Promise<Job> {
  const { signInByForm } = getDialect(site)
  const number = anybody(crowd)
  await expectPerson(site, number, (visitor) => signInByForm(visitor, getUserId(number)))
  return (connection) => signInByForm(new Visitor(connection, site.origin), getUserId(anybody(crowd)))
}

async function provider(site: Site, crowd: Crowd): Promise<Job> {
  const dialect = getDialect(site)
  const cookies = await asVisitor(site, async (visitor) => {
    await dialect.prepareOAuth(visitor)
    return visitor.cookies
  })
  const signIn = async (visitor: Visitor, number: number): Promise<void> => {
    const address = `${await dialect.startOAuth(visitor)}&login_hint=${getSubject(number)}`
    expectResponse(await visitor.ask({ path: await visitIssuer(site, visitor.connection, address) }), 302)
    expectSignedIn(visitor)
  }
  const number = anybody(crowd)
  await expectPerson(site, number, async (visitor) => {
    visitor.cookies = cookies
    await signIn(visitor, number)
  })
  return (connection) => signIn(new Visitor(connection, site.origin, cookies), anybody(crowd))
}

export const crowdJobs: readonly CrowdJob[] = [
  { title: 'the session route', asksProvider: false, make: session },
  { title: 'a sign-in by the form', asksProvider: false, make: form },
  { title: 'a sign-in at the provider', asksProvider: true, make: provider }
]
