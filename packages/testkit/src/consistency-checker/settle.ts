import { findingsOf } from './judge.ts'
import { isUncertain, type Ledger, type Person, type Told } from '../oracle/ledger.ts'
import type { Rows } from './rows.ts'

/** What the oracle asks of an application after a fault. */
export interface Survivor {
  readonly rows: () => Promise<Rows>
  /** The address of whom a session cookie signs in, `null` for nobody. */
  readonly whose: (cookie: string) => Promise<string | null>
  /** Signs somebody in once more, in a browser of their own that the ledger watches. */
  readonly signIn: (person: Person) => Promise<unknown>
}

export interface SettleOptions {
  /** What happened, for the line that is printed. */
  readonly what: string
  /** What people may be told beside a session and an outage. @defaultValue none */
  readonly mayBeTold?: readonly string[]
}

interface OracleTest {
  same(found: unknown, wanted: unknown, message: string): unknown
}

/**
 * Holds users, accounts, sessions and links against the ledger: nobody lost, doubled, locked out, signed in as somebody
 * else, or signed out without having asked. Prints what it looked at; nothing is a failure too.
 */
export async function settle(t: OracleTest, ledger: Ledger, survivor: Survivor, options: SettleOptions): Promise<void> {
  const findings = await judge(ledger, survivor, options)
  t.same(findings.slice(0, 20), [], `the oracle: ${options.what}`)
}

/** @returns What {@link settle} fails with. */
export async function judge(
  ledger: Ledger,
  survivor: Survivor,
  { what, mayBeTold = [] }: SettleOptions
): Promise<readonly string[]> {
  const before = await survivor.rows()
  const findings = [
    ...strangeAnswers(ledger, mayBeTold),
    ...findingsOf(ledger, before),
    ...(await sessionFindings(ledger, survivor))
  ]
  const line = lineOf(ledger, before)
  findings.push(...(await lastSignIns(ledger, survivor)))
  const after = await survivor.rows()
  findings.push(...findingsOf(ledger, after))
  const isNothing = [ledger.cookies.size, after.users.length].includes(0)
  if (isNothing) findings.push('there was nothing to look at')
  console.log(`oracle, ${what}: ${line}`)
  return [...new Set(findings)]
}

function strangeAnswers(ledger: Ledger, mayBeTold: readonly string[]): readonly string[] {
  return [...ledger.entries.values()].flatMap(({ person, tries }) =>
    tries
      .filter(({ told }) => told.startsWith('error') && !isUncertain(told) && !mayBeTold.includes(told))
      .map(({ told }) => `${person.name} was told ${told}`)
  )
}

async function sessionFindings(ledger: Ledger, { whose }: Survivor): Promise<readonly string[]> {
  const findings: string[] = []
  await each([...ledger.cookies], async ([cookie, { person, state }]) => {
    const found = await whose(cookie)
    const isRight = found === (state === 'ended' ? null : person.address) || (state === 'unknown' && found === null)
    if (!isRight) findings.push(`${person.name}: a session that is ${state} is that of ${found ?? 'nobody'}`)
  })
  return findings
}

async function lastSignIns(ledger: Ledger, { signIn }: Survivor): Promise<readonly string[]> {
  const findings: string[] = []
  await each([...ledger.entries.values()], async ({ person, tries }) => {
    const isTried = tries.length
    await signIn(person)
    const told = tries.slice(isTried).at(-1)?.told ?? 'nothing'
    if (told !== 'session') findings.push(`${person.name} is locked out: the last sign-in was told ${told}`)
  })
  return findings
}

/** Does something with each, a few at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const next = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, next))
}

function lineOf(ledger: Ledger, { users, accounts, sessions, links }: Rows): string {
  const told = [...ledger.entries.values()].flatMap(({ tries }) => tries.map((attempt) => attempt.told))
  const kinds = new Map<Told, number>()
  for (const kind of told) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  const answers = [...kinds].map(([kind, times]) => `${times} ${kind}`).join(', ')
  return [
    `${ledger.entries.size} people, ${told.length} tries: ${answers || 'none'}; ${ledger.reads} looks at a session`,
    `found ${users.length} users, ${accounts.length} accounts, ${sessions?.length ?? 'no'} sessions, ${links.length} links`,
    `slowest answer ${Math.round(ledger.slowest)} ms`
  ].join('; ')
}
