import { randomUUID } from 'node:crypto'
import type { Connection } from '../load/connection.ts'
import type { Job } from '../load/drive.ts'
import { expectResponse, getLocation, Visitor } from '../load/visitor.ts'
import { getDialect, heldCsrfToken } from './dialect.ts'
import { asVisitor, type Site, visitIssuer } from './site.ts'

/** Who is signed in, and how many accounts they have linked since. */
interface Person {
  readonly cookies: Visitor['cookies']
  readonly links: number
}

/** Postern allows a user 20 links in ten minutes. */
const linksEach = 16

/** Visits the provider as somebody new, and returns. */
async function visitAsNew(site: Site, visitor: Visitor, form: Readonly<Record<string, string>>): Promise<void> {
  const question = { path: '/api/auth/signin/demo', form: { ...form, csrfToken: heldCsrfToken(visitor) } }
  const address = getLocation(expectResponse(await visitor.ask(question), 302))
  const back = await visitIssuer(site, visitor.connection, `${address}&login_hint=${randomUUID()}`)
  const { head } = expectResponse(await visitor.ask({ path: back }), 302)
  if (/error=|\/verify/.test(head)) throw new Error(`expected to be back at the application, got ${head}`)
}

async function join(site: Site, visitor: Visitor): Promise<Person> {
  await getDialect(site).prepareOAuth(visitor)
  await visitAsNew(site, visitor, {})
  return { cookies: visitor.cookies, links: 0 }
}

/** A signed-in user links another account of the provider: start, callback. One job in 16 begins with the sign-up of a user. */
export async function link(site: Site): Promise<Job> {
  const people: Person[] = []
  const job = async (connection: Connection): Promise<void> => {
    const { cookies, links } = people.pop() ?? (await join(site, new Visitor(connection, site.origin)))
    const visitor = new Visitor(connection, site.origin, cookies)
    await visitAsNew(site, visitor, { link: 'true' })
    if (links + 1 < linksEach) people.push({ cookies: visitor.cookies, links: links + 1 })
  }
  await asVisitor(site, async ({ connection }) => job(connection))
  await asVisitor(site, async ({ connection }) => {
    const visitor = new Visitor(connection, site.origin, people[0]?.cookies)
    expectResponse(await visitor.ask({ path: '/api/auth/session' }), 200, '@example.com')
  })
  return job
}
