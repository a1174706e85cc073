import type { Job } from '../load/drive.ts'
import { expectResponse, Visitor } from '../load/visitor.ts'
import { password } from '../subjects/subject.ts'
import { expectSignedIn, getDialect, heldCsrfToken } from './dialect.ts'
import { asVisitor, type Site, visitIssuer } from './site.ts'

type SignIn = (visitor: Visitor, name: string) => Promise<void>

async function byForm(visitor: Visitor, username: string): Promise<void> {
  const form = { csrfToken: heldCsrfToken(visitor), username, password }
  expectResponse(await visitor.ask({ path: '/api/auth/callback/people', form }), 302)
  expectSignedIn(visitor)
}

const byProvider =
  (site: Site): SignIn =>
  async (visitor, name) => {
    const address = `${await getDialect(site).startOAuth(visitor)}&login_hint=${name}`
    expectResponse(await visitor.ask({ path: await visitIssuer(site, visitor.connection, address) }), 302)
    expectSignedIn(visitor)
  }

/** Sign-ins of some users with database sessions, who have all signed in once. */
export async function signIns(site: Site, method: 'form' | 'provider', users: number): Promise<Job> {
  const signIn = method === 'form' ? byForm : byProvider(site)
  const getName = (number: number): string => `${method}-${users}-${number}`
  const cookies = await asVisitor(site, async (visitor) => {
    await getDialect(site).prepareOAuth(visitor)
    return visitor.cookies
  })
  await asVisitor(site, async (visitor) => {
    for (let number = 0; number < users; number++) {
      visitor.cookies = cookies
      await signIn(visitor, getName(number))
    }
  })
  return (connection) =>
    signIn(new Visitor(connection, site.origin, cookies), getName(Math.floor(Math.random() * users)))
}
