import type { SignInOption } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { en, renderer } from '../src/index.ts'
import { type Dom, type Element, read } from './dom.ts'
import * as sample from './samples.ts'

const context = sample.createPageContext()
type SignInPage = sample.PageOf<'signin'>

const show = (page: Partial<SignInPage>): Dom =>
  read(renderer.page({ ...sample.signIn, links: sample.links, ...page }, context))

const { github, passkey, email, work, password, ownPassword } = sample
const methods: readonly SignInOption[] = [github, passkey, email, work, password, ownPassword]

/** Every order of every subset. */
function orders(rest: readonly SignInOption[]): readonly (readonly SignInOption[])[] {
  return [[], ...rest.flatMap((first) => orders(rest.filter((one) => one !== first)).map((more) => [first, ...more]))]
}

const subsets = orders(methods).filter((order) =>
  order.every((one, at) => at === 0 || methods.indexOf(one) > methods.indexOf(order[at - 1] ?? one))
)

const problems: readonly Pick<SignInPage, 'error' | 'reason'>[] = [
  { error: null, reason: null },
  ...(Object.keys(en.problems) as (keyof typeof en.problems)[]).map((error) => ({ error, reason: null })),
  ...(Object.keys(en.reasons) as (keyof typeof en.reasons)[]).map((reason) => ({
    error: reason === 'invalid' ? ('EmailSignin' as const) : ('OAuthCallback' as const),
    reason
  })),
  { error: 'RateLimited', reason: null }
]

const isOpen = ({ ancestors }: Element): boolean => ancestors.every(({ tag }) => tag !== 'details')

const isAddress = ({ attributes: { type, name } }: Element): boolean => type === 'email' || name === 'username'

/** The rules of the page, whatever is on it. */
function check(t: Test, dom: Dom, name: string): void {
  const fail = (rule: string): void => void t.fail(`${name}: ${rule}`)
  if (dom.all('.or').length > 1) fail('more than one divider')
  if (dom.all('input').filter((input) => isAddress(input) && isOpen(input)).length > 1) fail('two visible addresses')
  const inputs = dom.all('input').filter(({ attributes }) => attributes['type'] !== 'hidden')
  const primary = dom.all('.button-main')
  if (primary.length !== (inputs.length > 0 ? 1 : 0)) fail(`${primary.length} primary buttons`)
  if (!primary.every(isOpen)) fail('the primary button is folded')
  for (const label of dom.all('label')) {
    if (label.attributes['for'] !== 'input-password-for-password-provider') continue
    const [line] = label.ancestors
    const beside = dom.all('a').filter(({ ancestors }) => ancestors[0] === line)
    if (beside.map(({ text }) => text).join() !== 'Forgot password?') fail('no "Forgot password?" beside the label')
  }
  const focused = dom.elements.filter(({ attributes }) => 'autofocus' in attributes)
  const wrong = dom.elements.filter(({ attributes }) => attributes['aria-invalid'] === 'true')
  if (focused.length > 1 || (wrong.length > 0 && focused.length !== 1)) fail(`${focused.length} fields have autofocus`)
  if (!focused.every((field) => wrong.includes(field))) fail('the focused field is not wrong')
  if (![...focused, ...wrong].every(isOpen)) fail('what is wrong is folded')
}

t.test('whatever the order of the methods, the page has one divider, one address and one primary button', async (t) => {
  // A passkey is a button like others: in `npm test`, four forms and one button are enough.
  const ordered = isLong ? methods : methods.filter((method) => method !== passkey)
  for (const [index, choices] of orders(ordered).entries()) {
    // The long run has every order.
    if (!isLong && index % 4 !== 0) continue
    const problem = problems[index % problems.length] ?? {}
    const name = `${choices.map(({ id }) => id)} ${JSON.stringify(problem)}`
    check(t, show({ choices, ...problem }), name)
  }
})

t.test('whatever went wrong with whichever method', async (t) => {
  for (const [turn, choices] of subsets.entries()) {
    // In `npm test` some with each: the next subset has the next ones.
    for (const problem of problems.filter((_, at) => isLong || at % 18 === turn % 18)) {
      // In turn each method, and none, is the one that failed.
      const failed = choices[(choices.length + problems.indexOf(problem)) % (choices.length + 1)]
      const failedForm = failed && { providerId: failed.id, identifier: 'ada@example.com' }
      const dom = show({ choices, ...problem, failedForm: failedForm ?? null })
      const name = `${choices.map(({ id }) => id)} ${JSON.stringify(problem)} ${failed?.id}`
      check(t, dom, name)
      const isCalm = dom.all('.notice-problem').length === 0
      if (dom.one('title').text.startsWith('Error: ') === isCalm) t.fail(`${name}: ${dom.one('title').text}`)
      const wrong = dom.elements.filter(({ attributes }) => attributes['aria-invalid'] === 'true')
      const kept = wrong.filter(isAddress).map(({ attributes }) => attributes['value'])
      if (failedForm && kept.some((value) => value !== 'ada@example.com')) t.fail(`${name}: what was typed is gone`)
    }
  }
})

t.test('the second step of two shows the same methods for every address, and the first one asks for it', async (t) => {
  const action = '/api/auth/signin'
  for (const choices of subsets) {
    const isAsked = choices.some((choice) => [email, work, password].includes(choice))
    const first = show({ choices, identifierFirst: { action, identifier: null } })
    check(t, first, `first step: ${choices.map(({ id }) => id)}`)
    t.equal(first.has('#input-email'), isAsked)
    const steps = ['ada@example.com', 'nobody@example.org'].map((identifier) =>
      show({ choices, identifierFirst: { action, identifier } })
    )
    const [ada, nobody] = steps.map(({ elements }) => elements.map(({ tag }) => tag))
    t.same(ada, nobody)
    if (choices.includes(password)) {
      const [step] = steps
      t.match(step?.one('#input-email-for-password-provider').attributes, { value: 'ada@example.com', readonly: '' })
      t.equal(step?.one('#input-password-for-password-provider').attributes['autofocus'], '')
    }
  }
})

t.test('a password and a mail share the address: the second button sends it to the provider for email', async (t) => {
  const dom = show({ choices: [email, github, password] })
  const form = dom.all('form').find(({ attributes }) => attributes['action'] === password.action)
  const own = dom.all('button').filter(({ ancestors }) => form && ancestors.includes(form))
  t.same(
    own.map(({ text }) => text),
    ['Sign in', en.signIn.byEmailInstead]
  )
  t.match(own[1]?.attributes, { formaction: email.action, formnovalidate: '' })
  const code = show({ choices: [{ ...email, type: 'email', sends: 'code' }, password] })
  t.match(code.one('form').text, en.signIn.byCodeInstead)
  t.match(show({ choices: [{ ...email, type: 'email', sends: 'code' }] }).one('form').text, en.signIn.byCode)
})

t.test('the question for newcomers precedes the links to create an account', async (t) => {
  const dom = show({ choices: [password] })
  t.equal(dom.one('.sign-up').text, 'New here?Create an account')
  t.notOk(dom.has('.links'), 'no link is shown twice')
  t.match(show({ choices: [github] }).one('.links').text, 'Forgot password?', 'without its field, it is below')
})

t.test('a form of the application is folded beside others, and shown first after it failed', async (t) => {
  const dom = show({ choices: [ownPassword, email] })
  t.equal(dom.one('summary').text, 'Sign in with Company account')
  t.notOk(isOpen(dom.one('#input-email-for-own-provider')))
  const failedForm = { providerId: 'own', identifier: 'ada@example.com' }
  const failed = show({ choices: [github, ownPassword, email], error: 'CredentialsSignin', failedForm })
  t.ok(isOpen(failed.one('#input-email-for-own-provider')))
  t.equal(failed.all('form')[0]?.attributes['action'], ownPassword.action, 'above the buttons')
  t.equal(failed.one('summary').text, en.signIn.byEmail)
  t.ok(isOpen(show({ choices: [ownPassword] }).one('#input-email-for-own-provider')), 'alone')
})

t.test('a wrong password has the sentence of a password, and the way to another one beside it', async (t) => {
  const dom = show({
    choices: [password, ownPassword],
    error: 'CredentialsSignin',
    failedForm: { providerId: 'password', identifier: 'a@b.c' }
  })
  t.match(dom.one('#notice').text, 'Wrong email or password. Check both and try again. Forgot password?')
  t.ok(dom.has('.notice-icon'))
  t.equal(dom.one('title').text, 'Error: Sign in')
  const invalid = { error: 'EmailSignin', reason: 'invalid' } as const
  const address = show({
    choices: [password, email],
    ...invalid,
    failedForm: { providerId: 'email', identifier: 'ada' }
  })
  t.notOk(
    'aria-invalid' in address.one('#input-password-for-password-provider').attributes,
    'the password is not wrong'
  )
})

t.test('after too many tries, the ways that are left are there, with the address', async (t) => {
  const failedForm = { providerId: 'email', identifier: 'ada@example.com' }
  const dom = show({ choices: [github, email], error: 'RateLimited', retryAfter: 300, failedForm })
  t.equal(dom.one('#notice').text, 'Too many tries. Please wait 5 minutes, then try again. Or sign in another way now.')
  t.equal(dom.one('#input-email-for-email-provider').attributes['value'], 'ada@example.com')
})

t.test('the method that was used last is marked, if the page offers it', async (t) => {
  const marked = (lastUsed: string | null): readonly string[] =>
    show({ choices: [github, passkey, email, password], lastUsed })
      .all('button')
      .filter(({ text }) => text.includes(en.signIn.lastUsed))
      .map(({ text }) => text)
  t.same(marked('passkey'), ['Sign in with a passkeyLast used'])
  t.same(marked('password'), ['Sign inLast used'])
  t.same(marked('email'), [`${en.signIn.byEmailInstead}Last used`])
  t.same(marked('<b>'), [])
  t.same(marked(null), [])
})

t.test('seven or more providers are folded after the first ones; the one that was used last is not', async (t) => {
  const providers = Array.from({ length: 9 }, (_, at): SignInOption => ({ ...github, id: `p${at}`, name: `P${at}` }))
  const open = (page: Partial<SignInPage>): readonly string[] =>
    show(page)
      .all('form')
      .filter(isOpen)
      .map(({ text }) => text.slice(-2))
  t.equal(open({ choices: providers.slice(0, 6) }).length, 6)
  t.same(open({ choices: providers.slice(0, 7) }), ['P0', 'P1', 'P2', 'P3'])
  const dom = show({ choices: providers, lastUsed: 'p7' })
  t.equal(dom.all('form').filter(isOpen).length, 5)
  t.equal(dom.one('summary').text, en.signIn.more)
  t.equal(dom.all('form').length, 9)
})

t.test('a signed-in user continues, or signs out to use another account', async (t) => {
  const user = { name: 'Ada', email: 'ada@example.com' }
  const dom = show({ choices: [github, password], user, signOutUrl: '/api/auth/signout' })
  t.match(dom.one('.button-main'), {
    tag: 'a',
    text: 'Continue as Ada',
    attributes: { href: sample.signIn.callbackUrl }
  })
  const form = dom.one('form')
  t.match([form.attributes['action'], form.text], ['/api/auth/signout', 'Use another account'])
  t.same(
    dom.all('input').map(({ attributes }) => attributes['name']),
    ['csrfToken', 'callbackUrl', 'another']
  )
  const nameless = show({ user: { name: null, email: 'ada@example.com' }, signOutUrl: '/api/auth/signout' })
  t.equal(nameless.one('.button-main').text, 'Continue as ada@example.com')
  t.ok(show({ choices: [password], user }).has('#input-password-for-password-provider'), 'only if it is offered')
})

t.test('a session that has ended is distinguished from a first visit', async (t) => {
  for (const error of [null, 'SessionRequired'] as const) {
    const dom = show({ choices: [github], error, reason: 'session-expired' })
    t.equal(dom.one('#notice').text, 'Your session has expired. Sign in again.')
    t.equal(dom.one('title').text, 'Sign in', 'it is not an error')
  }
})

t.test('the page of the code says how many tries are left, and what to do after the last one', async (t) => {
  const code = { action: '/x', csrfToken: 'y', length: 8, wrong: true }
  const page = (more: Partial<sample.PageOf<'verify-request'>>): Dom =>
    read(renderer.page({ ...sample.verifyRequest, identifier: 'grace@example.com', ...more }, context))
  const wrong = page({ code: { ...code, triesLeft: 2 } })
  t.match(wrong.one('#notice').text, 'That code is not right. 2 tries left.')
  t.match(wrong.one('#input-code').attributes, { autofocus: '', 'aria-describedby': 'notice input-code-hint' })
  t.equal(wrong.one('title').text, 'Error: Check your email')
  t.match(page({ code: { ...code, triesLeft: 1 } }).one('#notice').text, '1 try left.')
  t.notMatch(page({ code }).one('#notice').text, 'left')
  const spent = page({ code: null, isSpent: true })
  t.match(spent.one('#notice').text, 'Too many wrong codes, so this email no longer works.')
  t.equal(spent.one('.button-main').text, 'Send a new one to g…@example.com')
  t.match(spent.all('input').at(-1)?.attributes, { name: 'email', value: 'grace@example.com' })
  t.equal(spent.one('title').text, 'Error: Check your email')
})
