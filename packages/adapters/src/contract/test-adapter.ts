import type { Adapter } from '@postern/core'
import { checkNames, type Expected, refuse, told } from '../check-options.ts'
import { accounts } from './accounts.ts'
import { batches } from './batches.ts'
import { type Case, type ContractTest, isComplete, lackingOf, missingOf, type Settings } from './case.ts'
import { dates } from './dates.ts'
import { expiry } from './expiry.ts'
import { leases } from './leases.ts'
import { races } from './races.ts'
import { recordEnds, records } from './records.ts'
import { revocations } from './revocations.ts'
import { sessions } from './sessions.ts'
import { oddTexts, twinTexts } from './texts.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'
import { verificationTokens } from './verification-tokens.ts'

/** What an adapter's author may say about the store. */
export interface ContractOptions {
  /** How many callers a race has. @defaultValue `50` */
  readonly callers?: number | undefined
  /** Whether the store can keep the character NUL in a text; one that cannot must refuse it. @defaultValue `'kept'` */
  readonly nul?: 'kept' | 'refused' | undefined
  /** Whether a new user keeps the id that was asked for, or the store chooses its own. @defaultValue `'given'` */
  readonly ids?: 'given' | 'own' | undefined
  /**
   * How many characters the store has room for in a key (an address, an id, a token); it must refuse a longer one.
   * @defaultValue no limit
   */
  readonly keyLength?: number | undefined
  /**
   * Who takes away what has ended: `deleteExpired`, or the store by itself.
   * @defaultValue `'deleted'`
   */
  readonly expired?: 'deleted' | 'by the store' | undefined
}

const expected: Expected = {
  of: 'testAdapter',
  shape: {
    callers: 'count',
    nul: ['kept', 'refused'],
    ids: ['given', 'own'],
    keyLength: 'count',
    expired: ['deleted', 'by the store']
  },
  otherNames: {},
  example: '{ callers: 50 }'
}

const suites: readonly [name: string, cases: readonly Case[]][] = [
  ['users', users],
  ['accounts', accounts],
  ['sessions', sessions],
  ['verification tokens', verificationTokens],
  ['transactions', transactions],
  ['odd texts', oddTexts],
  ['texts that are nearly the same', twinTexts],
  ['dates', dates],
  ['leases', leases],
  ['session records', records],
  ['ends of session records', recordEnds],
  ['revocations', revocations],
  ['batches', batches],
  ['expiry', expiry],
  ['races', races]
]

/**
 * Tests that an adapter keeps the contract: what it stores comes back as it was, and what is to happen once does.
 *
 * Optional methods are tested where they are there; those that are not are named in a comment.
 *
 * @param t - Tap's `t`, or anything that works like it.
 * @throws ConfigError with every mistake in what it was given.
 * @param open - Gives an adapter with all tables in place; called once for each suite. Rows of others may be there.
 */
export async function testAdapter(
  t: ContractTest,
  open: () => Adapter | Promise<Adapter>,
  options: ContractOptions = {}
): Promise<void> {
  const isAnswer = typeof open !== 'function'
  const message = `expected a function that opens an adapter, got ${told(open)}; write () => adapter`
  refuse([...(isAnswer ? [{ option: 'testAdapter(open)', message }] : []), ...checkNames(options, expected)])
  const settings: Settings = {
    callers: options.callers ?? 50,
    nul: options.nul ?? 'kept',
    ids: options.ids ?? 'given',
    keyLength: options.keyLength ?? Number.POSITIVE_INFINITY,
    expired: options.expired ?? 'deleted'
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
  t.same(missingOf(adapter), [], 'the adapter has the fourteen methods')
  if (!isComplete(adapter)) return
  const lacking = lackingOf(adapter)
  for (const name of lacking) {
    if (cases.some(({ needs }) => needs === name)) t.comment(`not tested: the adapter has no ${name}`)
  }
  for (const { name, needs, run } of cases) {
    if (needs === null || !lacking.includes(needs)) await t.test(name, (t) => run(t, adapter, settings))
  }
}
