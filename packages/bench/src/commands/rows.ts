import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drive, type Job } from '../load/drive.ts'
import { expectResponse, write } from '../load/visitor.ts'
import type { RowsFigure } from '../report/results.ts'
import { type Entrant, getJob, type Lineup } from '../scenarios/lineup.ts'
import { getScenario } from '../scenarios/scenarios.ts'
import { ratios, summarize } from '../statistics.ts'
import { cookieName, type IssuedToken, tokenIssuer } from '../stores/tokens.ts'
import { ada, type SubjectName } from '../subjects/subject.ts'
import { type Pace, warmUp } from './requests.ts'

const few = 10_000
const target = 1.25

/** Sessions of which the visitors have cookies: spread over the whole table, more than fit in a cache of pages. */
const visitors = 10_000

const cookieNames = {
  postern: cookieName,
  'next-auth': cookieName,
  'auth-js': 'authjs.session-token'
}
type Store = keyof typeof cookieNames

/** Makes tokens of a library: of Postern's the store holds a keyed hash. */
function getTokens(name: Store): () => IssuedToken | Promise<IssuedToken> {
  if (name === 'postern') return tokenIssuer()
  return () => {
    const token = randomBytes(32).toString('hex')
    return { token, stored: token }
  }
}

/** Fills the tables with one user for each session; the tokens of some of them. */
async function fill(file: string, name: Store, rows: number): Promise<string[]> {
  const database = new Database(file)
  database.pragma('synchronous = OFF')
  const addUser = database.prepare('INSERT INTO user (id, name, email, image) VALUES (?, ?, ?, ?)')
  const addSession = database.prepare('INSERT INTO session (sessionToken, userId, expires) VALUES (?, ?, ?)')
  const expires = Date.now() + 30 * 24 * 60 * 60 * 1000
  const issue = getTokens(name)
  const tokens: string[] = []
  database.exec('BEGIN')
  for (let row = 0; row < rows; row++) {
    const { token, stored } = await issue()
    if (row % Math.ceil(rows / visitors) === 0) tokens.push(token)
    addUser.run(`user-${row}`, ada.name, `${row}@example.com`, ada.image)
    addSession.run(stored, `user-${row}`, expires)
  }
  database.exec('COMMIT')
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  return tokens
}

/** Each request is of another visitor. */
function anyVisitor({ site }: Entrant, name: Store, tokens: readonly string[]): Job {
  const requests = tokens.map((token) =>
    write({ path: '/api/auth/session', origin: site.origin, cookies: new Map([[cookieNames[name], token]]) })
  )
  return async (connection) => {
    const request = requests[Math.floor(Math.random() * requests.length)] ?? ''
    expectResponse(await connection.send(request), 200, ada.name)
  }
}

interface Table {
  readonly entrant: Entrant
  readonly job: Job
  readonly cpu: number[]
}

async function openTable(lineup: Lineup, name: SubjectName & Store, rows: number): Promise<Table> {
  const entrant = await lineup.start(name, true, { file: `rows-${name}-${rows}` })
  // One sign-in: the tables are there, and the answer is right, before they are filled.
  await getJob(getScenario('B'), entrant)
  const tokens = await fill(join(lineup.folder, `rows-${name}-${rows}.db`), name, rows)
  return { entrant, job: anyVisitor(entrant, name, tokens), cpu: [] }
}

/** One library: a small and a large table in turn. */
async function measureStore(lineup: Lineup, name: SubjectName & Store, many: number, pace: Pace): Promise<RowsFigure> {
  const small = await openTable(lineup, name, few)
  const large = await openTable(lineup, name, many)
  const load = { ...pace.slice, connections: pace.connections, maySleep: false }
  await warmUp([small, large], pace)
  for (let round = 0; round < pace.rounds; round++) {
    for (const { entrant, job, cpu } of [small, large]) cpu.push((await drive(entrant.server, job, load)).cpu)
  }
  for (const { entrant } of [small, large]) await entrant.server.stop()
  return {
    subject: name,
    few,
    many,
    cpuOfFew: summarize(small.cpu),
    cpuOfMany: summarize(large.cpu),
    ratio: summarize(ratios(large.cpu, small.cpu)),
    target
  }
}

/** What a database session costs in a large table against a small one. */
export async function measureRows(lineup: Lineup, many: number, pace: Pace): Promise<RowsFigure[]> {
  const figures: RowsFigure[] = []
  for (const name of ['postern', 'next-auth', 'auth-js'] as const) {
    figures.push(await measureStore(lineup, name, many, pace))
  }
  return figures
}
