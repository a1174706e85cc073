import { randomUUID } from 'node:crypto'
import type { Adapter, EncryptedRow, EncryptedTable } from '@postern/core'
import { type Case, type Complete, has, itsOptional, optional, type Settings } from './case.ts'
import { createPerson, hasFields, isNone, newFactor, newTicket, race } from './data.ts'

const itsFactor = optional('factors')
const itsTicket = optional('tickets')

type List = NonNullable<Adapter['listEncryptedRows']>

/** Reads the pages of a table until one is empty. */
async function readAll(list: List, table: EncryptedTable, limit: number): Promise<readonly EncryptedRow[]> {
  const rows: EncryptedRow[] = []
  for (;;) {
    const last = rows.at(-1)
    const after = last ? { group: last.group, id: last.id } : null
    const page = await list({ table, after, limit, now: new Date() })
    if (page.length === 0) return rows
    rows.push(...page)
  }
}

/** The rows of a group. */
const ofGroup = async (
  list: List,
  table: EncryptedTable,
  group: string,
  limit = 100
): Promise<readonly EncryptedRow[]> => (await readAll(list, table, limit)).filter((row) => row.group === group)

/** Ids that collations order and compare differently. */
const ids = (prefix: string): readonly string[] =>
  ['9', '10', 'a', 'A', 'b', 'B', '_', '%', `'`, '~', ' x'].map((suffix) => `${prefix}${suffix}`)

/** Creates a person whose account has tokens. */
async function createTokens(adapter: Complete, provider: string) {
  const person = await createPerson(adapter)
  const key = { provider, providerAccountId: randomUUID() }
  const tokens = { access_token: `s1.${randomUUID()}`, refresh_token: `s1.${'x'.repeat(2000)}`, id_token: null }
  await adapter.linkAccount({ ...key, ...tokens, type: 'oauth', userId: person.user.id })
  return { ...person, key, tokens, row: { group: provider, id: key.providerAccountId, texts: tokens } }
}

/** Rows with texts that Postern encrypts. */
export const encryptedRows: readonly Case[] = [
  itsFactor('listEncryptedRows', 'pages return each factor once, in the order of its key', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    const [type, other] = [`a${randomUUID()}`, `b${randomUUID()}`]
    const created = ids('').map((id) => newFactor(user.id, { type, id, data: `v1.${randomUUID()}👩` }))
    for (const factor of [...created, newFactor(user.id, { type: other })]) await adapter.createFactor(factor)
    for (const limit of [1, 3, 100]) {
      const found = await ofGroup((query) => adapter.listEncryptedRows(query), 'factor', type, limit)
      t.same(found.map(({ id }) => id).sort(), created.map(({ id }) => id).sort(), `in pages of ${limit}`)
      for (const { id, texts } of found)
        t.same(texts, { data: created.find((factor) => factor.id === id)?.data }, 'with the data')
    }
    const after = { group: type, id: created[3]?.id ?? '' }
    const rest = await adapter.listEncryptedRows({ table: 'factor', after, limit: 100, now: new Date() })
    await adapter.deleteFactor({ type, id: after.id })
    const again = await adapter.listEncryptedRows({ table: 'factor', after, limit: 100, now: new Date() })
    t.same(again, rest, 'also after a row that was deleted')
  }),

  itsTicket('listEncryptedRows', 'leaves out tickets that have expired', async (t, adapter) => {
    const kind = randomUUID()
    const [valid, expired] = [newTicket({ kind }), newTicket({ kind, expires: new Date(Date.now() - 60_000) })]
    for (const ticket of [valid, expired]) await adapter.createTicket(ticket)
    const found = await ofGroup((query) => adapter.listEncryptedRows(query), 'ticket', kind)
    t.same(found, [{ group: kind, id: valid.id, texts: { data: valid.data } }], 'one is left')
  }),

  itsOptional('listEncryptedRows', 'returns the tokens of accounts', async (t, adapter) => {
    // The accounts of an adapter with the fourteen methods are in tables that only that adapter reads.
    if (!has(adapter, 'getAccounts')) return
    const provider = randomUUID()
    const { row } = await createTokens(adapter, provider)
    t.same(await ofGroup((query) => adapter.listEncryptedRows(query), 'account', provider), [row], 'as they are stored')
  }),

  itsFactor('replaceEncryptedTexts', 'replaces the data of a factor, and changes nothing else', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    const factor = newFactor(user.id, { version: 3 })
    await adapter.createFactor(factor)
    const { type: group, id, data } = factor
    const row = { group, id, texts: { data } }
    const replace = (row: EncryptedRow, data: string) => adapter.replaceEncryptedTexts('factor', row, { data })
    const stale = { ...row, texts: { data: data.toUpperCase() } }
    t.equal(await replace(stale, 'v2'), false, 'other data')
    t.equal(await replace({ ...row, id: randomUUID() }, 'v2'), false, 'no row')
    hasFields(t, await adapter.getFactor(factor), factor)
    t.equal(await replace(row, 'v2'), true, 'it is replaced')
    hasFields(t, await adapter.getFactor(factor), { ...factor, data: 'v2' })
    t.equal(await adapter.updateFactor({ ...factor, data: 'v3' }, 3), true, 'who has read it before can write it')
    t.equal(await replace({ ...row, texts: { data: 'v2' } }, 'v4'), false, 'lost')
    hasFields(t, await adapter.getFactor(factor), { ...factor, data: 'v3', version: 4 })
  }),

  itsTicket('replaceEncryptedTexts', 'replaces the data of a ticket, and restores none', async (t, adapter) => {
    const ticket = newTicket({ tries: 2 })
    await adapter.createTicket(ticket)
    const row = { group: ticket.kind, id: ticket.id, texts: { data: ticket.data } }
    t.equal(await adapter.replaceEncryptedTexts('ticket', row, { data: 'v2' }), true, 'it is replaced')
    hasFields(t, await adapter.readTicket(ticket), { ...ticket, data: 'v2' })
    await adapter.consumeTicket(ticket)
    const next = { ...row, texts: { data: 'v2' } }
    t.equal(await adapter.replaceEncryptedTexts('ticket', next, { data: 'v3' }), false, 'it no longer exists')
    isNone(t, await adapter.readTicket(ticket), 'and is not restored')
  }),

  itsOptional(
    'replaceEncryptedTexts',
    'replaces the tokens of an account if all are those that were read',
    async (t, adapter) => {
      if (!has(adapter, 'getAccounts')) return
      const { user, key, tokens, row } = await createTokens(adapter, randomUUID())
      const find = async () =>
        (await adapter.getAccounts(user.id)).find(
          ({ providerAccountId }) => providerAccountId === key.providerAccountId
        )
      const next = { access_token: 's1.a', refresh_token: 's1.b', id_token: null }
      for (const texts of [
        { ...tokens, access_token: 's1.other' },
        { ...tokens, refresh_token: null },
        { ...tokens, id_token: 's1.other' }
      ])
        t.equal(await adapter.replaceEncryptedTexts('account', { ...row, texts }, next), false, 'another token')
      hasFields(t, await find(), { ...key, ...tokens, userId: user.id })
      t.equal(await adapter.replaceEncryptedTexts('account', row, next), true, 'they are replaced')
      hasFields(t, await find(), { ...key, ...next, userId: user.id })
    }
  ),

  itsFactor(
    'replaceEncryptedTexts',
    'exactly one of concurrent callers replaces a text',
    async (t, adapter, settings) => {
      const { user } = await createPerson(adapter)
      const factor = newFactor(user.id)
      await adapter.createFactor(factor)
      const { winners } = await raceForFactor(adapter, factor, settings)
      t.equal(winners.filter(Boolean).length, 1, 'one')
    }
  )
]

function raceForFactor(
  adapter: Complete & Required<Pick<Adapter, 'replaceEncryptedTexts'>>,
  { type, id, data }: ReturnType<typeof newFactor>,
  { callers }: Settings
) {
  const row = { group: type, id, texts: { data } }
  return race(callers, (caller) => adapter.replaceEncryptedTexts('factor', row, { data: `v${caller}` }))
}
