import type { Connection } from '../load/connection.ts'
import { expectResponse, getLocation, type Visitor } from '../load/visitor.ts'
import { ada, password } from '../subjects/subject.ts'
import { type Site, visitIssuer } from './site.ts'

/** How one library's routes are used. */
export interface Dialect {
  readonly sessionPath: string
  readonly csrfPath: string | null
  readonly signInPath: string | null
  /** What must be done once, before anybody can sign in by the form. */
  prepareForm(visitor: Visitor): Promise<void>
  /** Signs in by the form, from the first request to the last. @param name - @defaultValue Ada's */
  signInByForm(visitor: Visitor, name?: string): Promise<void>
  /** What must be done once, before a visitor can press the button. */
  prepareOAuth(visitor: Visitor): Promise<void>
  /** Presses the provider's button: where the visitor is sent. */
  startOAuth(visitor: Visitor): Promise<string>
}

const csrfField = /"csrfToken":"([0-9a-f]+)"/

async function getCsrfToken(visitor: Visitor): Promise<string> {
  const { body } = expectResponse(await visitor.ask({ path: '/api/auth/csrf' }), 200, '"csrfToken"')
  return csrfField.exec(body)?.[1] ?? ''
}

/** The token that the cookie holds: a page brings it along with the button. */
export function heldCsrfToken({ cookies }: Visitor): string {
  const held = [...cookies].find(([name]) => name.endsWith('csrf-token'))?.[1] ?? ''
  return decodeURIComponent(held).split('|')[0] ?? ''
}

/** @throws Error a visitor without a session cookie. */
export function expectSignedIn({ cookies }: Visitor): void {
  const isSignedIn = [...cookies.keys()].some((name) => /session.?token/.test(name))
  if (!isSignedIn) throw new Error(`expected a session cookie, got ${[...cookies.keys()].join(', ') || 'none'}`)
}

/** next-auth v4, Auth.js and Postern. */
const nextAuth: Dialect = {
  sessionPath: '/api/auth/session',
  csrfPath: '/api/auth/csrf',
  signInPath: '/api/auth/signin',
  prepareForm: async () => undefined,
  signInByForm: async (visitor, username = ada.email) => {
    const csrfToken = await getCsrfToken(visitor)
    const form = { csrfToken, username, password }
    expectResponse(await visitor.ask({ path: '/api/auth/callback/people', form }), 302)
    expectSignedIn(visitor)
  },
  prepareOAuth: async (visitor) => void (await getCsrfToken(visitor)),
  startOAuth: async (visitor) => {
    const form = { csrfToken: heldCsrfToken(visitor) }
    return getLocation(expectResponse(await visitor.ask({ path: '/api/auth/signin/demo', form }), 302))
  }
}

const betterAuth: Dialect = {
  sessionPath: '/api/auth/get-session',
  csrfPath: null,
  signInPath: null,
  prepareForm: async (visitor) => {
    const { name, email, image } = ada
    const json = { name, email, image, password }
    expectResponse(await visitor.ask({ path: '/api/auth/sign-up/email', json }), 200, email)
    visitor.cookies = new Map()
  },
  signInByForm: async (visitor, email = ada.email) => {
    const json = { email, password }
    expectResponse(await visitor.ask({ path: '/api/auth/sign-in/email', json }), 200, ada.email)
    expectSignedIn(visitor)
  },
  prepareOAuth: async () => undefined,
  startOAuth: async (visitor) => {
    const json = { provider: 'demo', callbackURL: '/' }
    const { body } = expectResponse(await visitor.ask({ path: '/api/auth/sign-in/social', json }), 200, '"url"')
    const response: unknown = JSON.parse(body)
    const url = typeof response === 'object' && response !== null && 'url' in response ? response.url : null
    if (typeof url === 'string') return url
    throw new Error(`expected an address, got ${body}`)
  }
}

export function getDialect({ subject }: Pick<Site, 'subject'>): Dialect {
  return subject.startsWith('better-auth') ? betterAuth : nextAuth
}

/** Signs in at the provider: start, callback, session. */
export async function signInByIssuer(site: Site, visitor: Visitor, connection: Connection): Promise<void> {
  const dialect = getDialect(site)
  const back = await visitIssuer(site, connection, await dialect.startOAuth(visitor))
  expectResponse(await visitor.ask({ path: back }), 302)
  expectResponse(await visitor.ask({ path: dialect.sessionPath }), 200, ada.email)
}
