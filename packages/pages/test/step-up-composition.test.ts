import type { SignInOption } from '@postern/core'
import { some } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { en, renderer } from '../src/index.ts'
import { type Dom, type Element, read } from './dom.ts'
import * as sample from './samples.ts'

type SignInPage = sample.PageOf<'signin'>

const { github, passkey, work, password, ownPassword } = sample
const mail = { action: '/api/auth/signin/mailed-code', address: 'ada@example.com' }
const backUrl = 'https://app.example.com/before'
const stepUp = { mustRepeat: false, mail: null, backUrl }

const show = (page: Partial<SignInPage>): Dom =>
  read(renderer.page({ ...sample.stepUp, stepUp, ...page }, sample.createPageContext()))

const methods: readonly SignInOption[] = [github, passkey, work, password, ownPassword]
const subsets = Array.from({ length: 2 ** methods.length }, (_, bits) =>
  methods.filter((_method, place) => (bits >> place) & 1)
)

const errors = [null, 'CredentialsSignin', 'UnmetRequirements', 'Default'] as const

const isOpen = ({ ancestors }: Element): boolean => ancestors.every(({ tag }) => tag !== 'details')
const isSubmit = ({ tag, attributes }: Element): boolean => tag === 'button' && attributes['formaction'] === undefined

/** The submit buttons that are visible, each a way. */
const getOpen = (dom: Dom): readonly string[] =>
  dom.elements
    .filter(isSubmit)
    .filter(isOpen)
    .map(({ text }) => text)

/** The rules of the page, whatever the user has. */
function check(t: Test, dom: Dom, name: string): void {
  const fail = (rule: string): void => void t.fail(`${name}: ${rule}`)
  if (dom.all('.button-main').length > 1) fail('two primary buttons')
  if (!dom.all('.button-main').every(isOpen)) fail('the primary button is folded')
  if (dom.all('details').length > 1) fail('two folds')
  const addresses = dom.all('input').filter(({ attributes: { type, id } }) => type === 'email' && id !== undefined)
  if (addresses.some(({ attributes }) => attributes['value'] !== 'ada@example.com')) fail('the address is typed again')
  const shared = addresses.filter(({ attributes: { id = '' } }) => !id.includes('own'))
  if (shared.length > 0) fail('the address of the user is not fixed')
  if (dom.one('main').text.includes('Create an account')) fail('it offers to sign up')
  const back = dom.all('a').filter(({ text }) => text === en.stepUp.notNow)
  if (back.map(({ attributes }) => attributes['href']).join() !== backUrl) fail('no way back')
  if (!/^(Error: )?Confirm that it is you$/.test(dom.one('title').text)) fail(dom.one('title').text)
}

t.test('whatever the user has: one way is open, and the others are behind "Another way"', async (t) => {
  const cases = subsets.flatMap((choices) =>
    [null, mail].flatMap((byMail) =>
      [null, 'github', 'password'].flatMap((lastUsed) => errors.map((error) => ({ choices, byMail, lastUsed, error })))
    )
  )
  const factors = ({ choices, byMail, lastUsed, error }: (typeof cases)[number]) => [
    ...[choices.map(({ id }) => id).join(), byMail?.address, lastUsed, error]
  ]
  const chosen = some(cases, factors, 1)
  for (const { choices, byMail, lastUsed, error } of chosen) {
    const links = sample.links.filter(({ purpose }) => purpose === 'recovery')
    const dom = show({ choices, stepUp: { ...stepUp, mail: byMail }, lastUsed, error, links })
    const name = `${choices.map(({ id }) => id)} ${byMail?.address} ${lastUsed} ${error}`
    check(t, dom, name)
    const count = choices.length + (byMail ? 1 : 0)
    if (getOpen(dom).length !== (count > 0 ? 1 : 0)) t.fail(`${name}: ${getOpen(dom)}`)
    // A password and a mailed link share one form.
    const ways = count - (choices.includes(work) && choices.includes(password) ? 1 : 0)
    if (dom.has('details') !== ways > 1) t.fail(`${name}: the others`)
  }
  t.ok(chosen.length >= subsets.length)
})

t.test('the way that was used last is the open one, otherwise the strongest', async (t) => {
  const choices = [ownPassword, password, github, passkey]
  const open = (page: Partial<SignInPage>): string => getOpen(show({ choices, ...page })).join()
  t.equal(open({}), 'Sign in with a passkey')
  t.equal(open({ lastUsed: 'github' }), 'Sign in with GitHub')
  t.equal(open({ lastUsed: 'password' }), 'Sign in')
  t.equal(open({ lastUsed: 'twitch' }), 'Sign in with a passkey', 'the user does not have it')
  t.equal(open({ choices: [password, github] }), 'Sign in with GitHub')
  t.equal(open({ choices: [password], stepUp: { ...stepUp, mail } }), 'Sign in')
  t.equal(open({ choices: [], stepUp: { ...stepUp, mail } }), 'Send a code to ada@example.com')
  const failedForm = { providerId: 'password', identifier: 'ada@example.com' }
  const failed = show({ choices, error: 'CredentialsSignin', failedForm, links: sample.links })
  t.equal(getOpen(failed).join(), 'Sign in', 'the one that failed')
  t.equal(failed.one('#input-password-for-password-provider').attributes['autofocus'], '')
  t.match(failed.one('#notice').text, 'Wrong password. Try again. Forgot password?')
})

t.test('after a failure that is not about a form, the other ways are open', async (t) => {
  const choices = [passkey, password]
  const isUnfolded = (page: Partial<SignInPage>): boolean =>
    'open' in show({ choices, ...page }).one('details').attributes
  t.notOk(isUnfolded({}))
  t.ok(isUnfolded({ error: 'UnmetRequirements' }))
  t.notOk(isUnfolded({ error: 'CredentialsSignin', failedForm: { providerId: 'password', identifier: '' } }))
})

t.test('password managers find the password of the user, whose address is not shown again', async (t) => {
  const [address] = show({ choices: [password] })
    .all('input')
    .filter(({ attributes }) => attributes['type'] === 'email')
  t.match(address?.attributes, { name: 'email', autocomplete: 'username', value: 'ada@example.com', hidden: '' })
})

t.test('the page for a mailed code leads to the other ways', async (t) => {
  for (const page of [{ code: null, isSpent: true }, {}]) {
    const dom = read(renderer.page({ ...sample.verifyRequest, isStepUp: true, ...page }, sample.createPageContext()))
    const links = dom.all('a').map(({ text, attributes }) => [text, attributes['href']])
    t.same(links, [[en.stepUp.another, '/api/auth/verify']])
  }
})
