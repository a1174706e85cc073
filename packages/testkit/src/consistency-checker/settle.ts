import { getFindings } from './judge.ts'
import { isUncertain, type Ledger, type Person, type VisitResult } from './ledger.ts'
import type { Rows } from './rows.ts'

/** What the checker needs of an application after a fault. */
export interface Survivor {
  readonly rows: () => Promise<Rows>
  /** The address of the user of a session cookie, `null` for none. */
  readonly whose: (cookie: string) => Promise<string | null>
  /** Signs a person in again, in a new browser that the ledger records. */
  readonly signIn: (person: Person) => Promise<unknown>
}

export interface SettleOptions {
  /** A description for the printed summary. */
  readonly title: string
  /** Accepted results other than a session and an outage. @defaultValue none */
  readonly allowedErrors?: readonly string[]
}

interface OracleTest {
  same(found: unknown, requested: unknown, message: string): unknown
}

/**
 * Compares users, accounts, sessions and links with the ledger: no one may be lost, duplicated, locked out, signed in
 * as another user, or signed out without a request. Prints what it compared; an empty comparison fails too.
 */
export async function settle(t: OracleTest, ledger: Ledger, survivor: Survivor, options: SettleOptions): Promise<void> {
  const findings = await judge(ledger, survivor, options)
  t.same(findings.slice(0, 20), [], `the oracle: ${options.title}`)
}

/** @returns The findings that make {@link settle} fail. */
export async function judge(
  ledger: Ledger,
  survivor: Survivor,
  { title, allowedErrors = [] }: SettleOptions
): Promise<readonly string[]> {
  const before = await survivor.rows()
  const findings = [
    ...strangeAnswers(ledger, allowedErrors),
    ...getFindings(ledger, before),
    ...(await sessionFindings(ledger, survivor))
  ]
  const line = formatLine(ledger, before)
  findings.push(...(await lastSignIns(ledger, survivor)))
  const after = await survivor.rows()
  findings.push(...getFindings(ledger, after))
  const isNothing = [ledger.cookies.size, after.users.length].includes(0)
  if (isNothing) findings.push('there was nothing to compare')
  console.log(`oracle, ${title}: ${line}`)
  return [...new Set(findings)]
}

function strangeAnswers(ledger: Ledger, allowedErrors: readonly string[]): readonly string[] {
  return [...ledger.entries.values()].flatMap(({ person, tries }) =>
    tries
      .filter(({ result }) => result.startsWith('error') && !isUncertain(result) && !allowedErrors.includes(result))
      .map(({ result }) => `${person.name} received ${result}`)
  )
}

async function sessionFindings(ledger: Ledger, { whose }: Survivor): Promise<readonly string[]> {
  const findings: string[] = []
  await each([...ledger.cookies], async ([cookie, { person, state }]) => {
    const found = await whose(cookie)
    const isRight = found === (state === 'ended' ? null : person.address) || (state === 'unknown' && found === null)
    if (!isRight) findings.push(`${person.name}: a session that is ${state} is that of ${found ?? 'no one'}`)
  })
  return findings
}

/** How often a sign-in that a busy store has not answered is repeated. */
const maxRepeats = 3

async function lastSignIns(ledger: Ledger, { signIn }: Survivor): Promise<readonly string[]> {
  const findings: string[] = []
  await each([...ledger.entries.values()], async ({ person, tries }) => {
    const signInAgain = async (): Promise<VisitResult> => {
      const isTried = tries.length
      await signIn(person)
      return tries.slice(isTried).at(-1)?.result ?? 'cut'
    }
    let result = await signInAgain()
    // Who can sign in a moment later is not locked out: the others sign in at the same time.
    for (let repeats = 0; repeats < maxRepeats && isUncertain(result); repeats++) result = await signInAgain()
    if (result !== 'session') findings.push(`${person.name} is locked out: the last sign-in received ${result}`)
  })
  return findings
}

/** Processes the items, a few at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const next = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, next))
}

function formatLine(ledger: Ledger, { users, accounts, sessions, links }: Rows): string {
  const result = [...ledger.entries.values()].flatMap(({ tries }) => tries.map((attempt) => attempt.result))
  const kinds = new Map<VisitResult, number>()
  for (const kind of result) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  const results = [...kinds].map(([kind, times]) => `${times} ${kind}`).join(', ')
  return [
    `${ledger.entries.size} people, ${result.length} tries: ${results || 'none'}; ${ledger.reads} looks at a session`,
    `found ${users.length} users, ${accounts.length} accounts, ${sessions?.length ?? 'no'} sessions, ${links.length} links`,
    `slowest response ${Math.round(ledger.slowest)} ms`
  ].join('; ')
}
