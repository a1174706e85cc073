import { Connection } from '../load/connection.ts'
import type { Job } from '../load/drive.ts'
import { Visitor } from '../load/visitor.ts'
import { getDialect, signInByIssuer } from './dialect.ts'
import { prepareFormOnce } from './single.ts'
import { asVisitor, type Site } from './site.ts'

/** Does the job once, so that a wrong answer is found before anything is measured. */
async function checked(site: Site, job: Job): Promise<Job> {
  const connection = await Connection.open(site.port)
  await job(connection)
  connection.close()
  return job
}

/** A visitor who was never here signs in by the form. */
export async function credentials(site: Site): Promise<Job> {
  await asVisitor(site, (visitor) => prepareFormOnce(site, visitor))
  return checked(site, (connection) => getDialect(site).signInByForm(new Visitor(connection, site.origin)))
}

/** The cookies of a visitor who sees the sign-in page. */
async function atTheButton(site: Site): Promise<ReadonlyMap<string, string>> {
  return asVisitor(site, async (visitor) => {
    await getDialect(site).prepareOAuth(visitor)
    return visitor.cookies
  })
}

export async function oauthStart(site: Site): Promise<Job> {
  const cookies = await atTheButton(site)
  return checked(site, async (connection) => {
    const address = await getDialect(site).startOAuth(new Visitor(connection, site.origin, cookies))
    if (!address.startsWith(site.issuer)) throw new Error(`expected an address of the provider, got ${address}`)
  })
}

/** A returning user: the first run makes the account. */
export async function oauth(site: Site): Promise<Job> {
  const cookies = await atTheButton(site)
  return checked(site, (connection) => signInByIssuer(site, new Visitor(connection, site.origin, cookies), connection))
}
