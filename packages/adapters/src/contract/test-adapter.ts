import type { Adapter, Problem } from '@postern/core'
import { checkNames, describeType, type Expected, refuse } from '../check-options.ts'
import { accountEvidence } from './account-evidence.ts'
import { accounts } from './accounts.ts'
import { batches } from './batches.ts'
import { type Case, type ContractTest, getMissing, getMissingMethods, isComplete, type Settings } from './case.ts'
import { dates } from './dates.ts'
import { encryptedRows } from './encrypted-rows.ts'
import { events } from './events.ts'
import { expiry } from './expiry.ts'
import { factorRaces, factorTransactions } from './factor-transactions.ts'
import { factors } from './factors.ts'
import { invalidKeys } from './invalid-keys.ts'
import { leases } from './leases.ts'
import { races } from './races.ts'
import { recordEnds, records } from './records.ts'
import { revocations } from './revocations.ts'
import { sessionLimits } from './session-limits.ts'
import { sessions } from './sessions.ts'
import { oddTexts, twinTexts } from './texts.ts'
import { ticketRaces, ticketTransactions } from './ticket-transactions.ts'
import { tickets } from './tickets.ts'
import { transactions } from './transactions.ts'
import { userLists } from './user-lists.ts'
import { userVersionRaces, userVersions, userVersionTransactions } from './user-versions.ts'
import { users } from './users.ts'
import { verificationTokens } from './verification-tokens.ts'

/** The properties of the store, set by the author of the adapter. */
export interface ContractOptions {
  /** The number of concurrent callers in a race. @defaultValue `50` */
  readonly callers?: number | undefined
  /** Whether the store can keep NUL in strings; a store that cannot must reject it. @defaultValue `'kept'` */
  readonly nul?: 'kept' | 'refused' | undefined
  /** Whether a new user keeps the given id, or the store generates its own. @defaultValue `'given'` */
  readonly ids?: 'given' | 'own' | undefined
  /**
   * The maximum length of a key (an address, an id, a token) in characters; the store must reject longer ones.
   * @defaultValue no limit
   */
  readonly keyLength?: number | undefined
  /**
   * What deletes expired rows: `deleteExpired`, or the store itself.
   * @defaultValue `'deleted'`
   */
  readonly expired?: 'deleted' | 'by the store' | undefined
  /**
   * Whether `listSessions` and `getSessionRecords` apply a limit; a store that ignores it is slow for users with many
   * sessions. @defaultValue `'applied'`
   */
  readonly limit?: 'applied' | 'ignored' | undefined
}

const expected: Expected = {
  of: 'testAdapter',
  shape: {
    callers: 'nonNegativeInteger',
    nul: ['kept', 'refused'],
    ids: ['given', 'own'],
    keyLength: 'nonNegativeInteger',
    expired: ['deleted', 'by the store'],
    limit: ['applied', 'ignored']
  },
  otherNames: {},
  example: '{ callers: 50 }'
}

const suites: readonly [name: string, cases: readonly Case[]][] = [
  ['users', users],
  ['lists of users', userLists],
  ['accounts', accounts],
  ['sessions', sessions],
  ['limits of sessions', sessionLimits],
  ['verification tokens', verificationTokens],
  ['transactions', transactions],
  ['odd texts', oddTexts],
  ['texts that are nearly the same', twinTexts],
  ['keys that no row can have', invalidKeys],
  ['dates', dates],
  ['leases', leases],
  ['session records', records],
  ['ends of session records', recordEnds],
  ['revocations', revocations],
  ['evidence of accounts', accountEvidence],
  ['tickets', tickets],
  ['factors', factors],
  ['rows with encrypted texts', encryptedRows],
  ['events', events],
  ['batches', batches],
  ['batches with tickets', ticketTransactions],
  ['batches with factors', factorTransactions],
  ['versions of users', userVersions],
  ['batches with versions of users', userVersionTransactions],
  ['expiry', expiry],
  ['races', races],
  ['races for tickets', ticketRaces],
  ['races for factors', factorRaces],
  ['races for versions of users', userVersionRaces]
]

/**
 * Tests that an adapter fulfills the contract: values are returned unchanged, and one-time operations succeed once.
 *
 * Optional methods are tested if the adapter has them, those of which Postern uses all or none if it has all of them; missing
 * ones are listed in a comment.
 *
 * @param t - Tap's `t`, or an object with the same methods.
 * @throws ConfigError with every problem of the arguments.
 * @param open - Returns an adapter with all tables in place; called once per suite. The tables may contain other rows.
 */
export async function testAdapter(
  t: ContractTest,
  open: () => Adapter | Promise<Adapter>,
  options: ContractOptions = {}
): Promise<void> {
  const isAnswer = typeof open !== 'function'
  const message = `expected a function that opens an adapter, got ${describeType(open)}; write () => adapter`
  const noOpener: Problem = { option: 'testAdapter(open)', code: 'INVALID_TYPE', message }
  refuse([...(isAnswer ? [noOpener] : []), ...checkNames(options, expected)])
  const settings: Settings = {
    callers: options.callers ?? 50,
    nul: options.nul ?? 'kept',
    ids: options.ids ?? 'given',
    keyLength: options.keyLength ?? Number.POSITIVE_INFINITY,
    expired: options.expired ?? 'deleted',
    limit: options.limit ?? 'applied'
  }
  for (const [name, cases] of suites) {
    await t.test(name, async (t) => {
      const adapter = await open()
      try {
        await runCases(t, adapter, { cases, settings })
      } finally {
        await adapter.close?.()
      }
    })
  }
}

async function runCases(
  t: ContractTest,
  adapter: Adapter,
  { cases, settings }: { readonly cases: readonly Case[]; readonly settings: Settings }
): Promise<void> {
  t.same(getMissing(adapter), [], 'the adapter has the fourteen methods')
  if (!isComplete(adapter)) return
  const lacking = getMissingMethods(adapter)
  for (const name of lacking) {
    if (cases.some(({ needs }) => needs.includes(name))) t.comment(`not tested: the adapter has no ${name}`)
  }
  for (const { name, needs, run } of cases) {
    if (!needs.some((name) => lacking.includes(name))) await t.test(name, (t) => run(t, adapter, settings))
  }
}
