import { ConfigError } from '@postern/core'
import { some, times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { type Method, methods, openExitApplication, policies, type Setup, Visitor } from './exit-application.ts'
import { decideDeletion, getDeletionUrl } from './grace-period-application.ts'
import { base, strategies } from './password-application.ts'

/** Seconds after which a sign-in is no longer recent. */
const stale = 660

const subsets = Array.from({ length: 2 ** methods.length - 1 }, (_, bits) =>
  methods.filter((_method, place) => ((bits + 1) >> place) & 1)
).filter((subset) => !(subset.includes('passkey') && subset.includes('passkeySignUp')))

/** One of the values, each as often as the others. */
const pick = <T>(values: readonly [T, T], place: number): T => values[place % 2 === 0 ? 0 : 1]

const setups: readonly Setup[] = subsets.flatMap((methods, subset) =>
  policies.flatMap((policy, at) =>
    [true, false].map((hasMailer) => {
      const place = subset + at + Number(hasMailer)
      return {
        methods,
        policy,
        hasMailer,
        isTrusted: pick([true, false], place >> 1),
        strategy: pick(strategies, place)
      }
    })
  )
)

const has = ({ methods }: Setup, ...searched: readonly Method[]): boolean =>
  searched.some((method) => methods.includes(method))

/** Whether nothing can be mailed. */
const isMute = (setup: Setup): boolean => !setup.hasMailer && !has(setup, 'email')

/** The providers whose users could never confirm: they state no time, or may not. `oidc` promises it. */
const findStuck = (setup: Setup): readonly Method[] =>
  isMute(setup) ? setup.methods.filter((method) => method === 'oauth' || method === 'silent') : []

const needsMail = (setup: Setup): boolean => has(setup, 'password', 'passkeySignUp') || setup.policy === 'required'

const describe = ({ methods, policy, hasMailer, isTrusted, strategy }: Setup): string =>
  `${strategy}, ${methods.join(' ')}, second factor ${policy}, ${hasMailer ? 'mailer' : 'no mailer'}, addresses ${isTrusted ? '' : 'un'}verified`

const chosen = some(setups, (setup) => [
  ...methods.map((method) => has(setup, method)),
  ...[setup.policy, setup.hasMailer, setup.isTrusted, setup.strategy]
])
for (const [place, setup] of chosen.entries()) t.test(describe(setup), (t) => testSetup(t, setup, place))

/** Two users of a set in `npm test`, and one of every method in the long run. */
function selectUsers(setup: Setup, place: number): readonly Method[] {
  // Nobody signs up with a passkey, and a form without stored users has no account.
  const users = setup.methods.filter(
    (method) => method !== 'passkey' && (method !== 'form' || setup.strategy === 'database')
  )
  const first = users.length === 0 ? 0 : place % users.length
  return [...users.slice(first), ...users.slice(0, first)].slice(0, times(2, methods.length))
}

async function testSetup(t: Test, setup: Setup, place: number): Promise<void> {
  const stuck = findStuck(setup)
  const isRefused = stuck.length > 0 || (isMute(setup) && needsMail(setup))
  try {
    const app = await openExitApplication(setup)
    t.teardown(app.auth.close)
    t.notOk(isRefused, 'the set is not refused')
    for (const method of selectUsers(setup, place)) await testUser(t, new Visitor(app, setup, method))
    t.same([...app.broken], [], 'no page is a dead end')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    t.ok(isRefused, error.message)
    if (stuck.length > 0) t.match(error.message, `users of ${stuck.join(', ')} cannot`, 'it names the methods')
  }
}

/** A user who changes the name, removes ways in, and deletes the account, each time long after the last sign-in. */
async function testUser(t: Test, visitor: Visitor): Promise<void> {
  const { app, method } = visitor
  await visitor.signUp()
  if (!t.ok(await visitor.isSignedIn(), `${method}: signs up`)) return
  const userId = await visitor.findUserId()

  app.clock.advance(stale)
  const profile = await visitor.openConfirmed('/account/profile')
  await visitor.browser.fill(profile, `${base}/account/profile`, { name: 'Countess' })
  t.equal((await app.adapter.getUser?.(userId ?? ''))?.name, 'Countess', `${method}: changes the name`)

  await removeWaysIn(t, visitor)

  app.clock.advance(stale)
  const user = await app.adapter.getUser?.(userId ?? '')
  const deletion = await visitor.openConfirmed('/account/delete')
  await visitor.browser.fill(deletion, `${base}/account/delete`, { confirmation: 'DELETE' })
  const isAsked = user?.emailVerified instanceof Date && !isMute(visitor.setup)
  if (isAsked) {
    t.ok(await app.adapter.getUser?.(userId ?? ''), `${method}: the owner of the address is asked`)
    await decideDeletion(visitor.browser, getDeletionUrl(app, visitor.address), 'confirm')
  }
  t.equal(await app.adapter.getUser?.(userId ?? ''), null, `${method}: deletes the account`)
}

/** Adds what the set allows, removes as much as the pages allow, and signs in again with what is left. */
async function removeWaysIn(t: Test, visitor: Visitor): Promise<void> {
  const { app, setup, method } = visitor
  const ways = new Set<Method>([method])
  app.clock.advance(stale)
  const other = setup.methods.find((each) => ['oauth', 'oidc', 'silent'].includes(each) && each !== method)
  const page = await visitor.openConfirmed('/account/connections')
  if (other) await visitor.connect(page, other)
  if (other && t.ok(await visitor.isSignedIn(), `${method}: connects ${other}`)) ways.add(other)
  if (has(setup, 'passkey') && (await visitor.addPasskey())) ways.add('passkey')
  for (const way of [method, other, 'passkey' as const]) {
    if (!way || !ways.has(way)) continue
    app.clock.advance(stale)
    const isRemoved = await remove(visitor, way)
    if (ways.size > 1 && !['email', 'password'].includes(way)) t.ok(isRemoved, `${method}: removes ${way}`)
    if (isRemoved) ways.delete(way)
    visitor.browser = app.newBrowser()
    const [left = has(setup, 'email') ? 'email' : 'password'] = ways
    if (!t.ok(ways.size > 0 || has(setup, left), `${method}: a way in is left without ${way}`)) return
    // The mailbox is enough for a password.
    if (left === 'password' && method !== 'password') await visitor.resetPassword()
    await visitor.signIn(left)
    if (!t.ok(await visitor.isSignedIn(), `${method}: comes in by ${left} without ${way}`)) return
  }
}

/** @returns Whether the page has removed it. */
async function remove(visitor: Visitor, way: Method): Promise<boolean> {
  const { browser } = visitor
  if (way === 'passkey' || way === 'passkeySignUp') {
    const list = await visitor.openConfirmed('/passkeys')
    const href = list.html().querySelector('a[href*="/passkeys/"]')?.getAttribute('href') ?? ''
    const one = await browser.open(href)
    const removed = await browser.fill(one, `${href}/remove`)
    return removed.status < 400
  }
  const page = await visitor.openConfirmed('/account/connections')
  const forms = page.html().querySelectorAll(`form[action$="/connections/remove"]`)
  const form = forms.find((each) => each.querySelector(`[name=provider]`)?.getAttribute('value') === way)
  if (!form) return false
  const value = (name: string) => form.querySelector(`[name=${name}]`)?.getAttribute('value') ?? ''
  const fields = { provider: value('provider'), providerAccountId: value('providerAccountId') }
  return (await browser.submit(`${base}/account/connections/remove`, fields)).status < 400
}
