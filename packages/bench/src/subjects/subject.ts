/** Everything that is measured; each is a file of this folder. */
export const subjectNames = [
  'fastify',
  'by-hand',
  'postern',
  'postern-features',
  'postern-audit-log',
  'next-auth',
  'auth-js',
  'better-auth',
  'better-auth-passkey',
  'secure-session',
  'fastify-session'
] as const

export type SubjectName = (typeof subjectNames)[number]

/** The settings of a server. */
export interface Settings {
  readonly subject: SubjectName
  readonly port: number
  /** The OpenID Provider that visitors sign in at. */
  readonly issuer: string
  /** The SQLite file of users and sessions; `null`: sessions are tokens in cookies. */
  readonly file: string | null
  /** The address of a PostgreSQL database that has them in place of the file; Postern only. */
  readonly postgres: string | null
}

/** A server with sign-in. */
export interface Subject {
  /** Begins to listen. */
  start(settings: Settings): Promise<void>
}

function isName(value: unknown): value is SubjectName {
  return subjectNames.some((name) => name === value)
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

/** @throws TypeError settings that are not ours. */
export function readSettings(text: string | undefined): Settings {
  const value: unknown = JSON.parse(text ?? 'null')
  if (typeof value !== 'object' || value === null) throw new TypeError('expected settings in JSON')
  const { subject, port, issuer, file, postgres }: { [name in keyof Settings]?: unknown } = value
  const isRight = isName(subject) && typeof port === 'number' && typeof issuer === 'string'
  if (!isRight || !isTextOrNull(file) || !isTextOrNull(postgres)) throw new TypeError('expected settings of a server')
  return { subject, port, issuer, file, postgres }
}

/** What every subject is given alike. */
export const secret = 'a secret of the benchmark, which is 32 characters or more'
export const clientId = 'client'
export const clientSecret = 'secret'
export const github: { readonly clientId: string; readonly clientSecret: string } = {
  clientId: 'github-client',
  clientSecret: 'github-secret'
}

/** The one person who signs in. */
export const ada: { readonly id: string; readonly name: string; readonly email: string; readonly image: string } = {
  id: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  image: 'https://example.com/ada.png'
}
export const password = 'analytical engine'

/** The refusals that one request to `/refuse` of a server with the audit log reports. */
export const refusalsPerRequest = 100

export function getOrigin({ port }: Pick<Settings, 'port'>): string {
  return `http://127.0.0.1:${port}`
}

/** The origin of a server with passkeys: they belong to a domain, and an IP address is none. */
export function getLocalOrigin({ port }: Pick<Settings, 'port'>): string {
  return `http://localhost:${port}`
}

/** The check of a password that costs nothing: hashing is the application's choice, and would hide the rest. */
export function getUser(
  credentials: Readonly<Record<string, unknown>> | undefined
): { -readonly [K in keyof typeof ada]: string } | null {
  return credentials?.['username'] === ada.email && credentials['password'] === password ? { ...ada } : null
}

/** Somebody of a crowd, who signs in by the id of their row. */
export function getPerson(credentials: Readonly<Record<string, unknown>>): { readonly id: string } | null {
  const { username, password: given } = credentials
  return typeof username === 'string' && /^[0-9a-f]{32}$/.test(username) && given === password ? { id: username } : null
}
