import t from 'tap'
import {
  approveAccount,
  forgetClaims,
  markClaimEnd,
  markClaimStart,
  readApproval,
  readClaimEpoch,
  withWithdrawnApprovals
} from '../../src/adapter/account-approval.ts'
import { createTicketRows } from './ticket-rows.ts'

const now = Date.UTC(2026, 0, 1)
const account = { provider: 'demo', providerAccountId: 'ada' }
const userId = 'user'

function start() {
  const { tickets, rows, state } = createTicketRows()
  const approve = (epoch: string, time = now) => approveAccount(account, { userId, epoch }, { tickets, now: time })
  const isMissing = async (id = userId) => (await readApproval({ account, userId: id }, tickets)).isMissing
  return { tickets, rows, state, approve, isMissing }
}

t.test('without a claim, no account needs an approval', async (t) => {
  const { approve, isMissing } = start()
  t.notOk(await isMissing())
  await approve('')
  t.notOk(await isMissing())
})

t.test('while a claim runs, and after it, an account needs an approval from after it', async (t) => {
  const { tickets, approve, isMissing } = start()
  await approve('')
  await markClaimStart(userId, tickets)
  t.ok(await isMissing(), 'approved before')
  const during = await readClaimEpoch(userId, tickets)
  await approve(during)
  t.ok(await isMissing(), 'approved by a session that is about to end')
  const epoch = await markClaimEnd(userId, tickets)
  t.ok(await isMissing())
  t.equal(await readClaimEpoch(userId, tickets), epoch)
  await approve(during)
  t.ok(await isMissing(), 'the request has read the epoch before the end')
  await approve(epoch)
  t.notOk(await isMissing())
  t.notOk(await isMissing('another'), 'who was not claimed')
})

t.test('an approval is that of one user', async (t) => {
  const { tickets, approve, isMissing } = start()
  for (const id of [userId, 'another']) await markClaimStart(id, tickets)
  await approve(await markClaimEnd(userId, tickets))
  t.notOk(await isMissing())
  t.ok(await isMissing('another'))
})

t.test('the next claim voids the approvals of the last one, at every moment', async (t) => {
  const { tickets, state, approve, isMissing } = start()
  await markClaimStart(userId, tickets)
  await approve(await markClaimEnd(userId, tickets))
  const seen: boolean[] = []
  await markClaimStart(userId, tickets)
  t.ok(await isMissing(), 'as soon as it starts')
  await approve('')
  state.before = async () => void seen.push(await isMissing())
  await markClaimEnd(userId, tickets)
  await markClaimStart(userId, tickets)
  await markClaimEnd(userId, tickets)
  t.ok(seen.length > 1)
  t.notOk(seen.includes(false))
  t.ok(await isMissing())
})

t.test('of two claims at once, the end of the second voids what was approved after the end of the first', async (t) => {
  const { tickets, approve, isMissing } = start()
  for (const _ of [1, 2]) await markClaimStart(userId, tickets)
  const first = await markClaimEnd(userId, tickets)
  await approve(first)
  t.notOk(await isMissing())
  const second = await markClaimEnd(userId, tickets)
  t.ok(await isMissing(), 'its session was ended by the second')
  await approve(first)
  t.ok(await isMissing(), 'the request has read the epoch before the second end')
  await approve(second)
  t.notOk(await isMissing())
})

t.test('a claim of a user who was deleted is forgotten: the store may use the id again', async (t) => {
  const { tickets, isMissing } = start()
  await markClaimStart(userId, tickets)
  await markClaimEnd(userId, tickets)
  await forgetClaims(userId, tickets)
  t.notOk(await isMissing())
})

t.test('an approval that cannot be read counts as missing', async (t) => {
  const { tickets, rows, approve, isMissing } = start()
  await markClaimStart(userId, tickets)
  await approve(await markClaimEnd(userId, tickets))
  for (const data of ['', 'x', 'null', '[]', '{}', '{"userId":"user","time":"1"}']) {
    for (const [key, row] of rows) if (row.kind === 'approved-account') rows.set(key, { ...row, data })
    t.ok(await isMissing(), data)
  }
})

t.test('several requests that approve an account at once all do', async (t) => {
  const { tickets, approve, isMissing } = start()
  await markClaimStart(userId, tickets)
  const epoch = await markClaimEnd(userId, tickets)
  await Promise.all([1, 2, 3].map((time) => approve(epoch, now + time)))
  t.notOk(await isMissing())
})

t.test('the approvals of many accounts are withdrawn, and read at most 100 at a time', async (t) => {
  const { tickets, rows, approve } = start()
  await approve('')
  const sizes: number[] = []
  const readAll: typeof tickets.readAll = (keys) => {
    sizes.push(keys.length)
    return tickets.readAll(keys)
  }
  const written: unknown[] = []
  const transact = async (calls: readonly unknown[]) => {
    written.push(...calls)
    return { kind: 'committed' } as const
  }
  const store = withWithdrawnApprovals({ tickets: { ...tickets, readAll }, unlinkAccount: null, transact } as never)
  const accounts = Array.from({ length: 250 }, (_, index) => ({ provider: 'demo', providerAccountId: `${index}` }))
  await store.transact?.([...accounts, account].map((one) => ({ method: 'unlinkAccount', args: [one] })))
  t.strictSame(sizes, [100, 100, 51])
  t.equal(written.length, 252)
  t.match(written[0], { method: 'consumeTicket', args: [{ kind: 'approved-account' }] })
  t.equal(rows.size, 1)
})
