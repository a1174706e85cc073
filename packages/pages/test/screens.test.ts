import type { Page, Reason, ScreenCode, SignInCode, SignInOption } from '@postern/core'
import t from 'tap'
import { en, renderer } from '../src/index.ts'
import { type Dom, hiddenFields, read } from './dom.ts'
import * as sample from './samples.ts'

const context = sample.createPageContext()
const show = (page: Page): Dom => read(renderer.page(page, context))

const named: readonly [page: Page, title: string, wrapper: string, heading: string][] = [
  [sample.signIn, 'Sign in', 'signin', 'Sign in'],
  [sample.signOut, 'Sign out', 'signout', 'Sign out'],
  [sample.verifyRequest, 'Check your email', 'verify-request', 'Check your email'],
  [sample.error, 'Error', 'error', 'Error'],
  [sample.confirm, 'Confirm sign-in', 'confirm', 'Is this you?'],
  [sample.startAgain, 'Start again', 'start-again', 'Let’s start again'],
  [sample.confirmLink, 'Connect accounts', 'confirm-link', 'Connect this account?'],
  [sample.otherUser, 'Already signed in', 'other-user', 'You are already signed in'],
  [sample.usedLink, 'Already signed in', 'used-link', 'You are already signed in'],
  [sample.welcome, 'Welcome', 'welcome', 'Welcome, Ada']
]

for (const [page, title, wrapper, heading] of named) {
  t.test(`${page.name} has its title, its heading and the wrappers of next-auth v4`, async (t) => {
    const dom = show(page)
    t.equal(dom.one('title').text, title)
    t.equal(dom.one('h1').text, heading)
    t.equal(dom.one('html').attributes['lang'], 'en')
    t.equal(dom.one('html').attributes['dir'], 'ltr')
    const card = dom.one('.card')
    t.ok(card.ancestors[0]?.classes.includes(wrapper), `.${wrapper} > .card`)
    t.ok(card.ancestors[1]?.classes.includes('page'), `.page > .${wrapper}`)
    t.equal(card.ancestors[1]?.tag, 'main', 'one landmark holds everything')
    t.same(dom.one('body').classes, ['__next-auth-theme-auto'])
  })
}

for (const page of sample.pages) {
  t.test(`nothing inline and nothing remote: ${JSON.stringify(page).slice(0, 90)}`, async (t) => {
    const dom = show(page)
    t.notOk(dom.has('style') || dom.has('script'), 'no style or script element')
    const inline = dom.elements.filter(({ attributes }) =>
      Object.keys(attributes).some((name) => /^on|^style$/.test(name))
    )
    t.same(inline, [], 'no element has an inline style or script')
    const sources = dom.elements.flatMap(({ tag, attributes }) => [
      ...(attributes['src'] === undefined ? [] : [attributes['src']]),
      ...(tag === 'link' ? [attributes['href'] ?? '/'] : [])
    ])
    t.ok(sources.length > 0)
    for (const source of sources) t.notMatch(source, /^(?!\/(?!\/))/, 'files come from this site')
    t.equal(dom.all('h1').length, 1)
    const ids = dom.elements.flatMap(({ attributes }) => attributes['id'] ?? [])
    t.equal(new Set(ids).size, ids.length, 'every id is there once')
  })
}

for (const scheme of ['auto', 'light', 'dark'] as const) {
  t.test(`the body has the color scheme ${scheme}`, async (t) => {
    const dom = read(renderer.page(sample.signIn, sample.createPageContext({ colorScheme: scheme })))
    t.same(dom.one('body').classes, [`__next-auth-theme-${scheme}`])
  })
}

t.test('every form posts the CSRF token and the callbackUrl', async (t) => {
  const { csrfToken, callbackUrl } = sample.signIn
  const both = { csrfToken, callbackUrl }
  t.same(hiddenFields(show(sample.signIn)), [
    ['/api/auth/signin/github', both],
    ['/api/auth/signin/email', both],
    ['/api/auth/callback/credentials', both]
  ])
  t.same(hiddenFields(show(sample.signOut)), [['/api/auth/signout', both]])
  t.same(hiddenFields(show(sample.startAgain)), [['/api/auth/signin/github', both]])
  t.same(hiddenFields(show(sample.otherUser)), [['/api/auth/signin/github', both]])
  t.same(hiddenFields(show(sample.verifyRequest)), [
    ['/api/auth/callback/email', { csrfToken }],
    ['/api/auth/signin/email', { csrfToken, email: 'ada@example.com' }]
  ])
  t.same(hiddenFields(show(sample.confirm)), [['/api/auth/callback/email', sample.confirm.fields]])
  for (const page of sample.pages) {
    t.ok(
      show(page)
        .all('form')
        .every(({ attributes }) => attributes['method'] === 'post'),
      page.name
    )
  }
})

t.test('the sign-in forms have the ids and names that tests of next-auth v4 rely on', async (t) => {
  const dom = show(sample.signIn)
  const address = dom.one('#input-email-for-email-provider').attributes
  t.match(address, { name: 'email', type: 'email', autocomplete: 'email', inputmode: 'email', required: '' })
  t.match(dom.one('#input-username-for-credentials-provider').attributes, {
    name: 'username',
    type: 'text',
    placeholder: 'ada',
    autocomplete: 'username'
  })
  t.match(dom.one('#input-password-for-credentials-provider').attributes, {
    name: 'password',
    type: 'password',
    autocomplete: 'current-password'
  })
  const buttons = dom.all('button').map(({ text }) => text.replace(/^G(?=Sign)/, ''))
  t.same(buttons, ['Sign in with GitHub', en.signIn.byEmail, 'Sign in with credentials'])
  t.equal(show(sample.signOut).one('#submitButton').attributes['type'], 'submit')
})

t.test('every input that is seen has a separate label', async (t) => {
  for (const page of sample.pages) {
    const dom = show(page)
    const labels = dom.all('label').map(({ attributes }) => attributes['for'])
    const inputs = dom
      .all('input')
      .filter(({ attributes }) => attributes['type'] !== 'hidden' && !('hidden' in attributes))
    t.same(
      inputs.map(({ attributes }) => attributes['id']),
      labels
    )
  }
})

t.test('buttons are separated from the form, and from nothing else', async (t) => {
  t.equal(show(sample.signIn).all('.or').length, 1)
  const { github } = sample
  t.notOk(show({ ...sample.signIn, choices: [github, { ...github, id: 'gitlab' }] }).has('.or'))
  t.match(show({ ...sample.signIn, choices: [] }).one('.card').text, en.signIn.none)
})

const v4Sentences: readonly [SignInCode, string][] = [
  ['CredentialsSignin', 'Sign in failed. Check the details you provided are correct.'],
  ['SessionRequired', 'Please sign in to access this page.'],
  ['OAuthAccountNotLinked', 'To confirm your identity, sign in with the same account you used originally.']
]

for (const [code, sentence] of v4Sentences) {
  t.test(`${code} is explained in the words of next-auth v4`, async (t) => {
    t.match(show({ ...sample.signIn, error: code }).one('#notice').text, sentence)
  })
}

const codes: readonly (SignInCode | 'Default')[] = [
  'Signin',
  'OAuthSignin',
  'OAuthCallback',
  'OAuthCreateAccount',
  'EmailCreateAccount',
  'Callback',
  'OAuthAccountNotLinked',
  'EmailSignin',
  'CredentialsSignin',
  'SessionRequired',
  'Default'
]

t.test('every code has a separate sentence and a next step, announced', async (t) => {
  const seen = new Set<string>()
  for (const code of codes) {
    const { text, next } = en.problems[code]
    t.ok(text && next, code)
    seen.add(text)
    const notice = show({ ...sample.signIn, error: code }).one('#notice')
    t.equal(notice.text, `${text} ${next}`)
    t.equal(notice.attributes['role'], 'alert')
  }
  t.equal(seen.size, codes.length)
  t.notOk(show(sample.signIn).has('#notice'), 'without an error there is no notice')
})

t.test('a reason adds to the text of the code', async (t) => {
  for (const reason of ['cancelled', 'expired', 'unavailable', 'misconfigured', 'signed-out'] as const) {
    const { text, next } = en.reasons[reason]
    const dom = show({ ...sample.signIn, error: 'OAuthCallback', reason })
    t.equal(dom.one('#notice').text, `${text} ${next}`)
  }
  t.notOk(show({ ...sample.signIn, reason: 'cancelled' }).has('#notice'), 'a reason without an error is ignored')
})

t.test('a code or reason that no one knows gets the general text', async (t) => {
  const foreign = JSON.parse('{"error":"__proto__","reason":"constructor"}') as { error: SignInCode; reason: Reason }
  t.match(show({ ...sample.signIn, ...foreign }).one('#notice').text, en.problems.Default.text)
  const screen = JSON.parse('"toString"') as ScreenCode
  t.equal(show({ ...sample.error, error: screen }).one('h1').text, 'Error')
})

t.test('what went wrong with a form is tied to its fields', async (t) => {
  const wrong = show({ ...sample.signIn, error: 'CredentialsSignin' })
  for (const id of ['#input-username-for-credentials-provider', '#input-password-for-credentials-provider']) {
    t.match(wrong.one(id).attributes, { 'aria-describedby': 'notice', 'aria-invalid': 'true' })
  }
  t.notOk('aria-describedby' in wrong.one('#input-email-for-email-provider').attributes)
  const box = { name: 'remember', label: 'Stay signed in', type: 'checkbox', attributes: {} }
  const form: SignInOption = {
    type: 'credentials',
    id: 'credentials',
    name: 'Credentials',
    action: '/x',
    fields: [box]
  }
  const error = 'CredentialsSignin'
  const ticked = show({ ...sample.signIn, choices: [form], error }).one('#input-remember-for-credentials-provider')
  t.same(
    Object.keys(ticked.attributes).filter((name) => name.startsWith('aria-')),
    [],
    'no box is wrong'
  )
  const unsent = show({ ...sample.signIn, error: 'EmailSignin' }).one('#input-email-for-email-provider')
  t.match(unsent.attributes, { 'aria-describedby': 'notice', 'aria-invalid': 'true' })
})

t.test('the message is in the form that failed, and above the forms if none did', async (t) => {
  const forms: readonly [page: Page, form: string | null][] = [
    [{ ...sample.signIn, error: 'CredentialsSignin' }, '/api/auth/callback/credentials'],
    [{ ...sample.signIn, error: 'EmailSignin' }, '/api/auth/signin/email'],
    [{ ...sample.signIn, error: 'OAuthCallback' }, null],
    [
      { ...sample.signIn, error: 'Callback', failedForm: { providerId: 'credentials', identifier: 'ada' } },
      '/api/auth/callback/credentials'
    ],
    [
      { ...sample.signIn, error: 'EmailSignin', failedForm: { providerId: 'gone', identifier: 'x' } },
      '/api/auth/signin/email'
    ]
  ]
  for (const [page, action] of forms) {
    const { ancestors } = show(page).one('#notice')
    const form = ancestors.find(({ tag }) => tag === 'form')
    t.equal(form?.attributes['action'] ?? null, action)
  }
})

t.test('the form that failed contains the username or address again', async (t) => {
  const identifier = '"><b>ada@example'
  const failed = (providerId: string, error: SignInCode | null) =>
    show({ ...sample.signIn, error, failedForm: { providerId, identifier } })
  const email = failed('email', 'EmailSignin')
  t.equal(email.one('#input-email-for-email-provider').attributes['value'], identifier)
  t.notOk('value' in email.one('#input-username-for-credentials-provider').attributes)
  const form = failed('credentials', 'CredentialsSignin')
  t.equal(form.one('#input-username-for-credentials-provider').attributes['value'], identifier)
  t.notOk('value' in form.one('#input-password-for-credentials-provider').attributes)
  t.notOk('value' in failed('email', null).one('#input-email-for-email-provider').attributes, 'without an error')
})

t.test('two providers for email share the field for the address', async (t) => {
  const choices = [sample.email, { ...sample.email, id: 'work', name: 'Work', action: '/api/auth/signin/work' }]
  const failedForm = { providerId: 'work', identifier: 'ada@example' }
  const dom = show({ ...sample.signIn, choices, error: 'EmailSignin', failedForm })
  t.match(dom.one('#input-email-for-email-provider').attributes, {
    'aria-invalid': 'true',
    'aria-describedby': 'notice',
    autofocus: '',
    value: 'ada@example'
  })
  const [first, second] = dom.all('button')
  t.notOk('formaction' in (first?.attributes ?? {}))
  t.match(second?.attributes, { formaction: '/api/auth/signin/work', formnovalidate: '' })
})

t.test('with two forms of a kind, the fields of the one that failed are wrong', async (t) => {
  const choices = [sample.credentials, { ...sample.credentials, id: 'work', action: '/api/auth/callback/work' }]
  const failedForm = { providerId: 'work', identifier: '' }
  const dom = show({ ...sample.signIn, choices, error: 'CredentialsSignin', failedForm })
  t.match(dom.one('#input-username-for-work-provider').attributes, {
    'aria-invalid': 'true',
    'aria-describedby': 'notice'
  })
  t.notOk('aria-describedby' in dom.one('#input-username-for-credentials-provider').attributes)
})

t.test('with two forms of a kind, no field is called wrong that may be right', async (t) => {
  const choices = [sample.credentials, { ...sample.credentials, id: 'work' }]
  const dom = show({ ...sample.signIn, choices, error: 'CredentialsSignin' })
  for (const id of ['#input-username-for-credentials-provider', '#input-username-for-work-provider']) {
    const { attributes } = dom.one(id)
    t.equal(attributes['aria-describedby'], 'notice')
    t.notOk('aria-invalid' in attributes)
  }
})

t.test('the field for the code has an autocomplete', async (t) => {
  const { attributes } = show(sample.verifyRequest).one('#input-code')
  t.match(attributes, {
    name: 'code',
    autocomplete: 'one-time-code',
    autocapitalize: 'characters',
    spellcheck: 'false',
    maxlength: '24'
  })
  t.equal(attributes['aria-describedby'], 'input-code-hint')
  t.match(show(sample.verifyRequest).one('.identity').text, 'ada@example.com')
})

t.test('a wrong code is said at its field', async (t) => {
  const code = { action: '/x', csrfToken: 'y', length: 8, wrong: true }
  const dom = show({ ...sample.verifyRequest, code })
  t.match(dom.one('#notice').text, en.verifyRequest.wrong.text)
  t.match(dom.one('#input-code').attributes, { 'aria-describedby': 'notice input-code-hint', 'aria-invalid': 'true' })
})

t.test('without a code, verify-request has the text of next-auth v4, and no field', async (t) => {
  const dom = show({ ...sample.verifyRequest, identifier: null, code: null, resend: null })
  t.match(dom.one('.card').text, 'A sign-in link has been sent to your email address.')
  t.notOk(dom.has('form') || dom.has('.identity'))
  t.equal(dom.one('.link').attributes['href'], '/api/auth/signin')
})

const sent: readonly (readonly [link: boolean, hasForm: boolean, text: string])[] = [
  [true, true, en.verifyRequest.mail],
  [true, false, 'A sign-in link has been sent to your email address.'],
  [false, true, 'A code has been sent to your email address. Enter it here to sign in.'],
  [false, false, 'A code has been sent by email. Enter it in the browser where you asked for it.']
]

for (const [link, hasForm, text] of sent) {
  t.test(`verify-request: ${link ? 'a link' : 'no link'}, ${hasForm ? 'a form' : 'no form'}`, async (t) => {
    const code = hasForm ? sample.verifyRequest.code : null
    const dom = show({ ...sample.verifyRequest, link, code })
    t.equal(dom.one('.lead').text, text)
    t.equal(dom.has('#input-code'), hasForm)
    t.equal(dom.one('.after').text, en.verifyRequest.missing)
    t.same(
      dom.all('.link').map(({ tag, text }) => [tag, text]),
      [
        ['button', en.verifyRequest.again],
        ['a', en.verifyRequest.otherAddress]
      ]
    )
  })
}

const errors: readonly [ScreenCode, heading: string, text: string][] = [
  ['AccessDenied', 'Access denied', 'You do not have permission to sign in.'],
  [
    'Verification',
    'Unable to sign in',
    'The sign-in link is no longer valid. It may have been used already or it may have expired.'
  ],
  ['UserSuspended', 'Account suspended', en.errors.UserSuspended.text],
  ['PermissionRequired', 'No permission', 'You do not have permission for this.'],
  ['StoreConflict', en.errors.StoreConflict.heading, en.errors.StoreConflict.text],
  ['UserReferenced', 'Account still in use', en.errors.UserReferenced.text],
  ['NotFound', 'Page not found', en.errors.NotFound.text],
  ['Configuration', 'Server error', 'There is a problem with the server configuration.'],
  ['RateLimited', 'Too many tries', en.errors.RateLimited.text],
  ['StoreUnavailable', 'Back in a moment', en.errors.StoreUnavailable.text],
  ['Default', 'Error', 'Something went wrong.']
]

for (const [code, heading, text] of errors) {
  t.test(`the error screen explains ${code}, and has a next step`, async (t) => {
    const dom = show({ ...sample.error, error: code })
    t.equal(dom.one('h1').text, heading)
    const isDeadEnd = code === 'Verification' || code === 'NotFound'
    t.equal(dom.one('title').text, isDeadEnd ? heading : 'Error', 'nothing failed where an address leads nowhere')
    t.same(dom.one('.message').texts, [text], 'in one piece')
    const hrefs = dom.all('.button').map(({ attributes }) => attributes['href'])
    const home = code === 'PermissionRequired' ? [sample.createPageContext().siteUrl] : []
    t.same(hrefs, [...home, sample.error.signInUrl])
    t.ok(dom.all('p').length > 2, 'contains the next step')
  })
}

t.test('too many attempts: the waiting time is in words', async (t) => {
  const limited = { ...sample.error, error: 'RateLimited' } as const
  t.match(show({ ...limited, retryAfter: 61 }).one('.lead').text, 'Please wait 2 minutes, then try again.')
  t.match(show(limited).one('.lead').text, en.errors.RateLimited.next ?? '')
})

t.test('the id in the log is on the page', async (t) => {
  const shown = [
    { ...sample.signIn, ref: 'req-9' },
    { ...sample.verifyRequest, ref: 'req-9' }
  ]
  for (const page of [...shown, { ...sample.error, ref: 'req-9' }, { ...sample.startAgain, ref: 'req-9' }]) {
    t.equal(show(page).one('.reference').text, 'Reference: req-9')
  }
  t.notOk(show(sample.signIn).has('.reference'))
})

t.test('the confirm screen shows the address, and only its button has an effect', async (t) => {
  const dom = show(sample.confirm)
  t.match(dom.one('.identity').text, 'ada@example.com')
  t.equal(dom.all('button').length, 1)
  t.equal(dom.one('a').attributes['href'], '/api/auth/signin', 'the way out')
})

t.test('the other-user screen shows who is signed in, and offers to continue or start again', async (t) => {
  const dom = show(sample.otherUser)
  t.match(dom.one('.identity').text, 'Gracegrace@example.com')
  t.equal(dom.one('a').attributes['href'], sample.otherUser.callbackUrl)
  t.equal(dom.one('button').text, 'Sign in with GitHub')
  const nameless = show({ ...sample.otherUser, user: { name: '', email: 'grace@example.com' } })
  t.equal(nameless.one('bdi').text, 'grace@example.com')
  t.notOk(show({ ...sample.otherUser, user: { name: null, email: null } }).has('.identity'))
})

t.test('the confirm-link screen names both identities, and links only with the button', async (t) => {
  const dom = show(sample.confirmLink)
  t.same(
    dom.all('.identity').map(({ text }) => text),
    ['Grace Hoppergrace@example.com', 'Ada Lovelaceada@example.com']
  )
  t.equal(dom.one('button').text, 'Connect')
  const hidden = dom.all('input').map(({ attributes }) => [attributes['name'], attributes['value']])
  t.same(hidden.at(-1), ['link', 'true'])
  t.equal(dom.one('a').attributes['href'], sample.confirmLink.callbackUrl)
  t.equal(show({ ...sample.confirmLink, account: null }).all('.identity').length, 1)
})

t.test('the step-up screen shows who has to authenticate again, and knows the address', async (t) => {
  const dom = show(sample.stepUp)
  t.equal(dom.one('h1').text, en.stepUp.heading)
  t.match(dom.one('.identity').text, 'Ada Lovelaceada@example.com')
  const addresses = dom.all('input').filter(({ attributes }) => attributes['type'] === 'email')
  t.same(
    addresses.map(({ attributes }) => [attributes['value'], 'hidden' in attributes]),
    [['ada@example.com', true]]
  )
  t.equal(
    dom.one('#input-username-for-credentials-provider').attributes['value'],
    undefined,
    'a name is not an address'
  )
  t.notMatch(dom.one('main').text, en.stepUp.repeat)
  t.match(show({ ...sample.stepUp, stepUp: { mustRepeat: true } }).one('main').text, en.stepUp.repeat)
  t.match(show({ ...sample.stepUp, choices: [] }).one('main').text, en.stepUp.none)
  const fields = [{ name: 'mail', label: 'Email', type: 'email', attributes: {} }]
  const form: SignInOption = { ...sample.credentials, type: 'credentials', identifier: 'mail', fields }
  const byAddress = show({ ...sample.stepUp, choices: [form] })
  t.equal(byAddress.one('#input-mail-for-credentials-provider').attributes['value'], 'ada@example.com')
  const failedForm = { providerId: 'credentials', identifier: 'ada@work' }
  const failed = show({ ...sample.stepUp, choices: [form], error: 'CredentialsSignin', failedForm })
  t.equal(failed.one('#input-mail-for-credentials-provider').attributes['value'], 'ada@work', 'what was typed is kept')
  const nameless = show({ ...sample.stepUp, user: { name: 'Ada', email: null } })
  t.equal(nameless.one('#input-email-for-email-provider').attributes['value'], undefined)
  const signedIn = show({ ...sample.signIn, user: sample.stepUp.user ?? null })
  t.equal(signedIn.one('#input-email-for-email-provider').attributes['value'], undefined, 'another user may sign in')
})

t.test('the step-up screen mails a code to the address of the user', async (t) => {
  for (const choices of [[sample.github], []]) {
    const dom = show({ ...sample.stepUpByMail, choices })
    const [form] = dom.all('form').filter(({ attributes }) => attributes['action'] === '/api/auth/signin/mailed-code')
    t.equal(form?.text, 'Send a code to ada@example.com')
    t.notMatch(dom.one('main').text, en.stepUp.none, 'there is a way')
  }
  const sent = show({ ...sample.verifyRequest, link: false, isStepUp: true })
  t.match(sent.one('main').text, en.verifyRequest.again)
  t.notMatch(sent.one('main').text, en.verifyRequest.otherAddress, 'the address is that of the user')
})

t.test('welcome greets by name if there is one', async (t) => {
  t.equal(show({ ...sample.welcome, user: null }).one('h1').text, 'Welcome')
  t.equal(show({ ...sample.welcome, user: '' }).one('h1').text, 'Welcome')
  t.equal(show(sample.welcome).one('a').attributes['href'], '/start')
})
