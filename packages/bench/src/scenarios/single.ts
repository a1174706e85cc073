import { Connection } from '../load/connection.ts'
import type { Job } from '../load/drive.ts'
import { expectResponse, type Question, Visitor, write } from '../load/visitor.ts'
import { ada } from '../subjects/subject.ts'
import { getDialect, signInByIssuer } from './dialect.ts'
import { asVisitor, type Site } from './site.ts'

/** The same request over and over. Its answer is checked in full once, and by status and length of the body after that. */
async function repeated(site: Site, question: Omit<Question, 'origin'>, text: string): Promise<Job> {
  const request = write({ ...question, origin: site.origin })
  const connection = await Connection.open(site.port)
  const first = expectResponse(await connection.send(request), 200, text)
  connection.close()
  return async (open) => {
    const response = await open.send(request)
    const isLike = response.status === 200 && Math.abs(response.body.length - first.body.length) < 16
    if (!isLike) expectResponse(response, 200, `${first.body.length} characters`)
  }
}

/** The path of a page of the site, or an error where the library has none. */
function given(path: string | null): string {
  if (path === null) throw new TypeError('expected a library with this route')
  return path
}

/** Signs in by the way that fits: with tokens the form, with a store the provider, for the form leaves no row. */
async function signedIn(site: Site, isStored: boolean): Promise<ReadonlyMap<string, string>> {
  const dialect = getDialect(site)
  const connection = await Connection.open(site.port)
  const visitor = new Visitor(connection, site.origin)
  if (isStored) {
    await dialect.prepareOAuth(visitor)
    await signInByIssuer(site, visitor, connection)
  } else {
    await prepareFormOnce(site, visitor)
    await dialect.signInByForm(visitor)
  }
  connection.close()
  return visitor.cookies
}

const prepared = new Set<string>()

/** The account of the form is made once for each site. */
export async function prepareFormOnce(site: Site, visitor: Visitor): Promise<void> {
  if (prepared.has(site.origin)) return
  prepared.add(site.origin)
  await getDialect(site).prepareForm(visitor)
}

export function floor(site: Site): Promise<Job> {
  return repeated(site, { path: '/session' }, ada.email)
}

export async function sessionByToken(site: Site): Promise<Job> {
  return repeated(site, { path: getDialect(site).sessionPath, cookies: await signedIn(site, false) }, ada.email)
}

export async function sessionByStore(site: Site): Promise<Job> {
  return repeated(site, { path: getDialect(site).sessionPath, cookies: await signedIn(site, true) }, ada.email)
}

export function sessionWithout(site: Site): Promise<Job> {
  return repeated(site, { path: getDialect(site).sessionPath }, '')
}

export async function guard(site: Site): Promise<Job> {
  await asVisitor(site, async (visitor) => expectResponse(await visitor.ask({ path: '/me' }), 401))
  return repeated(site, { path: '/me', cookies: await signedIn(site, false) }, ada.email)
}

export async function guardByStore(site: Site): Promise<Job> {
  await asVisitor(site, async (visitor) => expectResponse(await visitor.ask({ path: '/me' }), 401))
  return repeated(site, { path: '/me', cookies: await signedIn(site, true) }, ada.email)
}

export async function guardOfPlugin(site: Site): Promise<Job> {
  const cookies = await asVisitor(site, async (visitor) => {
    expectResponse(await visitor.ask({ path: '/me' }), 401)
    expectResponse(await visitor.ask({ path: '/signin', json: {} }), 200)
    return visitor.cookies
  })
  return repeated(site, { path: '/me', cookies }, ada.email)
}

/** The cookie that a first visit leaves. */
async function visited(site: Site, path: string): Promise<ReadonlyMap<string, string>> {
  return asVisitor(site, async (visitor) => {
    expectResponse(await visitor.ask({ path }), 200)
    return visitor.cookies
  })
}

export async function csrf(site: Site): Promise<Job> {
  const path = given(getDialect(site).csrfPath)
  return repeated(site, { path, cookies: await visited(site, path) }, '"csrfToken"')
}

export async function signInPage(site: Site): Promise<Job> {
  const { csrfPath, signInPath } = getDialect(site)
  return repeated(site, { path: given(signInPath), cookies: await visited(site, given(csrfPath)) }, 'GitHub')
}
