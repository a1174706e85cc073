import { createSample, type ScreenSample, type ScreenSamples } from './sample.ts'

const [minuteAgo, dayAgo, monthAgo] = ['2030-01-31T11:59:00Z', '2030-01-30T09:30:00Z', '2030-01-02T18:45:00Z']
const frame = { accountUrl: '#', problem: null, done: null, verifyUrl: null, now: '2030-01-31T12:00:00Z' }
const stale = { action: null, verifyUrl: '#' }

const inFrame = (screen: string, props: object): ((change?: Readonly<Record<string, unknown>>) => ScreenSample) =>
  createSample(screen, { ...frame, ...props })

const profile = inFrame('profile', { name: 'Ada Lovelace', action: '#' })
const email = inFrame('email', {
  ...{ email: 'ada@example.com', isVerified: true, typed: '', action: '#' },
  ...{ canChange: true, pending: null, confirmUrl: '#', waiting: null }
})
const confirm = inFrame('email-confirm', {
  ...{ email: 'countess@example.com', action: '#', resendAction: '#', changeUrl: '#' }
})
const at = '2030-02-07T12:00:00Z'
const waiting = { email: 'countess@example.com', at, cancelAction: '#', factorUrl: null, approveAction: null }
const agree = inFrame('email-agree', {
  ...{ email: 'countess@example.com', at, action: '#', token: '', isCancellation: false }
})
const link = (reason: string): ScreenSample => inFrame(`email-link-${reason}`, { reason })()

const github = {
  ...{ provider: 'github', providerAccountId: '1', providerName: 'GitHub', providerText: '' },
  email: 'ada@example.com'
}
const google = { ...github, provider: 'google', providerName: 'Google', email: null }
const connections = inFrame('connections', {
  accounts: [
    { ...github, isRemovable: true },
    { ...google, isRemovable: true },
    { ...google, provider: 'myspace', providerName: null, isRemovable: true }
  ],
  removeAction: '#',
  available: [{ id: 'gitlab', name: 'GitLab', action: '#' }],
  callbackUrl: '/'
})

const device = {
  ...{ id: '1', name: 'Firefox (Linux)', address: '192.0.2.1', provider: 'GitHub' },
  ...{ createdAt: dayAgo, lastSeen: minuteAgo, isCurrent: true, isImpersonation: false }
}
const unknownDevice = { ...device, name: null, address: null, provider: null, createdAt: null, lastSeen: null }
const devices = inFrame('devices', { devices: [device], hasMore: false, endAction: '#', endOthersAction: '#' })
const manyDevices = [
  device,
  { ...device, id: '2', name: 'Safari (iPhone)', address: '2001:db8::1', lastSeen: monthAgo, isCurrent: false },
  { ...unknownDevice, id: '3', isCurrent: false },
  { ...unknownDevice, id: '4', isCurrent: false, isImpersonation: true, createdAt: dayAgo, lastSeen: minuteAgo }
]

const event = { address: '192.0.2.1', device: 'Firefox (Linux)', provider: null, providerText: null }
const activity = inFrame('activity', { events: [], olderUrl: null, newestUrl: null })
const manyEvents = [
  { ...event, id: '5', type: 'email-changed', time: minuteAgo },
  { ...event, id: '4', type: 'sign-in', time: minuteAgo, provider: 'GitHub' },
  { ...event, id: '3', type: 'sign-in-refused', time: dayAgo, address: '2001:db8::1', device: null },
  { ...event, id: '2', type: 'invoice-paid', time: dayAgo, address: null },
  { ...event, id: '1', type: 'factor-added', time: monthAgo }
]

const data = inFrame('data', { action: '#' })
const deleteAt = '2030-03-02T12:00:00Z'
const logUntil = '2030-05-30T12:00:00Z'
const deletion = inFrame('delete', {
  ...{ email: 'ada@example.com', action: '#', logUntil },
  ...{ deleteAt: null, endsSessions: true, pending: null }
})
const pending = { deleteAt, keepAction: '#', isMailed: false, factorUrl: null, approveAction: null }
const confirmDeletion = inFrame('deletion-confirm', { deleteAt, action: '#', token: '', isCancellation: false })
const deletionLink = (reason: string): ScreenSample => inFrame(`deletion-link-${reason}`, { reason })()
const site = { siteName: 'Postern demo', siteUrl: '#' }

/** Every screen of the account pages but the first one, in each state; its forms do not submit anything. */
export const accountSamples: ScreenSamples = {
  'account-profile': profile(),
  'account-profile-saved': profile({ done: 'profileSaved' }),
  'account-profile-problem': profile({ name: 'Ada '.repeat(30), problem: 'nameTooLong' }),
  'account-profile-stale': profile(stale),
  'account-email': email(),
  'account-email-unverified': email({ isVerified: false, typed: 'ada@example.com' }),
  'account-email-none': email({ email: null, isVerified: false }),
  'account-email-pending': email({ pending: 'countess@example.com' }),
  'account-email-waiting': email({ waiting }),
  'account-email-factor': email({ waiting: { ...waiting, factorUrl: '#' } }),
  'account-email-approve': email({ waiting: { ...waiting, approveAction: '#' } }),
  'account-email-cancelled': email({ done: 'emailCancelled' }),
  'account-email-problem': email({ problem: 'emailInvalid', typed: 'countess@example' }),
  'account-email-code-spent': email({ problem: 'emailCodeSpent', typed: 'countess@example.com' }),
  'account-email-changed': email({ email: 'countess@example.com', done: 'emailChanged' }),
  'account-email-stale': email(stale),
  'account-email-fixed': email({ action: null, canChange: false }),
  'account-email-confirm': confirm(),
  'account-email-confirm-wrong-code': confirm({ problem: 'emailCodeWrong' }),
  'account-email-agree': agree(),
  'account-email-link-changed': link('changed'),
  'account-email-link-cancelled': link('cancelled'),
  'account-email-gone': link('gone'),
  'account-email-taken': link('taken'),
  'account-connections': connections(),
  'account-connections-none': connections({ accounts: [] }),
  'account-connections-last-way-in': connections({
    accounts: [{ ...github, isRemovable: true }],
    problem: 'lastWayIn'
  }),
  'account-connections-stale': connections({
    accounts: [{ ...github, isRemovable: false }],
    available: [],
    verifyUrl: '#'
  }),
  'account-devices-one': devices(),
  'account-devices-many': devices({ devices: manyDevices, hasMore: true, done: 'deviceEnded' }),
  'account-devices-stale': devices({ devices: manyDevices, verifyUrl: '#' }),
  'account-activity-empty': activity(),
  'account-activity': activity({ events: manyEvents, olderUrl: '#' }),
  'account-data': data(),
  'account-data-stale': data(stale),
  'account-delete': deletion(),
  'account-delete-problem': deletion({ problem: 'deletionWrong' }),
  'account-delete-stale': deletion(stale),
  'account-delete-later': deletion({ deleteAt }),
  'account-delete-waiting': deletion({ deleteAt, endsSessions: false, problem: 'deletionWrong' }),
  'account-delete-pending': deletion({ deleteAt, pending }),
  'account-delete-factor': deletion({ deleteAt, pending: { ...pending, isMailed: true, factorUrl: '#' } }),
  'account-delete-approve': deletion({ deleteAt, pending: { ...pending, isMailed: true, approveAction: '#' } }),
  'account-delete-confirm': confirmDeletion(),
  'account-delete-link-cancelled': deletionLink('cancelled'),
  'account-delete-link-gone': deletionLink('gone'),
  'account-delete-scheduled': { screen: 'deletion-scheduled', props: { ...site, deleteAt } },
  'account-deleted': { screen: 'deleted', props: site },
  'account-unavailable': { screen: 'unavailable', props: frame }
}
