import type { BuiltInPage as Page, StepUpForms } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { createRenderer, en, renderer } from '../src/index.ts'
import { placeholder } from '../src/placeholders.ts'
import { renderView } from '../src/render.tsx'
import { stylesheetFor } from '../src/styles/stylesheet.ts'
import { getView } from '../src/view.ts'
import { read, skeleton } from './dom.ts'
import * as sample from './samples.ts'

const context = sample.createPageContext()
const stylesheet = stylesheetFor(context.theme).name

/** The same page without the cache: React renders it with the values in place. */
const rendered = (page: Page): string =>
  renderView(getView(page, en), { context, texts: en, files: { stylesheet, script: null } })

const hostile: readonly [title: string, text: string][] = [
  ['an element', '<script>alert(1)</script>'],
  ['the end of an attribute', '"><img src=x onerror=alert(1)>'],
  ['the end of an attribute in single quotes', `' onmouseover='alert(1)`],
  ['entities', '&lt;b&gt; & &amp;'],
  ['the end of the title', '</title></style><svg onload=alert(1)>'],
  ['patterns of String.replace', '$& $1 $` $$'],
  ['holes', `${placeholder(0)}${placeholder(1)}${placeholder(2)}`],
  ['lone surrogates', '\ud800 lone \udfff'],
  ['control characters', '\u202eoverride\u2028\u0000\r\n'],
  ['placeholders of other languages', '{{csrfToken}} $' + '{csrfToken} %s'],
  ['a script as a link', 'javascript:alert(1)'],
  ['nothing', '']
]

const fillStepUp = (stepUp: StepUpForms, text: string): StepUpForms => ({
  ...stepUp,
  backUrl: text,
  mail: stepUp.mail ? { ...stepUp.mail, address: text } : null
})

/** Puts one text into everything of a page that differs from visitor to visitor. */
function filled(page: Page, text: string): Page {
  switch (page.name) {
    case 'signin':
      return {
        ...page,
        csrfToken: text,
        callbackUrl: text,
        failedForm: page.failedForm ? { ...page.failedForm, identifier: text } : null,
        stepUp: page.stepUp ? fillStepUp(page.stepUp, text) : null,
        user: page.user ? { name: page.user.name && text, email: page.user.email && text } : null,
        ref: page.ref && text
      }
    case 'signout':
      return { ...page, csrfToken: text, callbackUrl: text, action: text }
    case 'verify-request': {
      const code = page.code && { ...page.code, action: text, csrfToken: text }
      const resend = page.resend ? { action: text, csrfToken: text } : null
      return { ...page, identifier: page.identifier && text, code, resend, ref: page.ref && text }
    }
    case 'confirm': {
      const fields = Object.fromEntries(Object.keys(page.fields).map((name) => [name, text]))
      return { ...page, identifier: text, action: text, fields }
    }
    case 'error':
      return { ...page, signInUrl: text, ref: page.ref && text }
    case 'start-again':
      return { ...page, provider: text, action: text, csrfToken: text, callbackUrl: text, ref: page.ref && text }
    case 'other-user': {
      const user = { name: page.user.name && text, email: page.user.email && text }
      return { ...page, user, provider: text, action: text, csrfToken: text, callbackUrl: text, ref: page.ref && text }
    }
    case 'confirm-link': {
      const both = { name: text, email: text }
      const account = page.account && both
      return {
        ...page,
        account,
        user: both,
        provider: text,
        action: text,
        csrfToken: text,
        callbackUrl: text,
        link: text
      }
    }
    case 'used-link': {
      const user = { name: page.user.name && text, email: page.user.email && text }
      return { ...page, user, callbackUrl: text }
    }
    case 'welcome':
      return { ...page, user: page.user && text, callbackUrl: text }
  }
}

t.test('a kept page is what React would render, for every screen and again', async (t) => {
  const { page: show } = await createRenderer()
  for (const page of sample.pages) {
    t.equal(show(page, context), rendered(page))
    const other = filled(page, 'another visitor')
    t.equal(show(other, context), rendered(other))
    t.equal(show(page, context), rendered(page))
  }
})

for (const [turn, [title, text]] of hostile.entries()) {
  // In `npm test` each text is on one page in six.
  const pages = sample.pages.filter((_page, index) => isLong || (index + turn) % 6 === 0)
  t.test(`page-1: text stays text: ${title}`, async (t) => {
    for (const page of pages) {
      const attacked = filled(page, text)
      const html = renderer.page(attacked, context)
      t.equal(html, rendered(attacked), 'as React escapes it')
      // An empty name is as good as none, and changes the page.
      if (text === '') continue
      t.same(skeleton(read(html)), skeleton(read(renderer.page(page, context))), 'no element and no attribute is added')
    }
  })
}

t.test('a value that spells a hole is not filled', async (t) => {
  const html = renderer.page({ ...sample.signOut, csrfToken: placeholder(1), callbackUrl: '/secret' }, context)
  t.equal(
    read(html)
      .all('input')
      .find(({ attributes }) => attributes['name'] === 'csrfToken')?.attributes['value'],
    placeholder(1)
  )
})

t.test('one visitor never sees the values of another', async (t) => {
  const { page: show } = await createRenderer()
  for (const page of sample.pages) {
    show(filled(page, 'values-of-ada'), context)
    t.notMatch(show(filled(page, 'values-of-bob'), context), 'values-of-ada', page.name)
  }
})

t.test('only links to the web are links', async (t) => {
  const scripts = [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,<b>',
    'vbscript:x',
    'file:///etc/passwd'
  ]
  for (const link of scripts) {
    t.equal(read(renderer.page({ ...sample.welcome, callbackUrl: link }, context)).one('a').attributes['href'], '/')
    t.equal(read(renderer.page({ ...sample.error, signInUrl: link }, context)).one('a').attributes['href'], '/')
    t.equal(read(renderer.page({ ...sample.otherUser, callbackUrl: link }, context)).one('a').attributes['href'], '/')
    t.equal(read(renderer.page({ ...sample.signOut, callbackUrl: link }, context)).one('a').attributes['href'], '/')
    t.equal(read(renderer.page({ ...sample.signOut, action: link }, context)).one('form').attributes['action'], '/')
    const choices = [{ ...sample.github, action: link }]
    t.equal(read(renderer.page({ ...sample.signIn, choices }, context)).one('form').attributes['action'], '/')
  }
  for (const link of ['/a?b=c#d', 'https://app.example.com/', 'http://localhost:3000/', '?x', 'a:b/../c'.slice(2)]) {
    t.equal(read(renderer.page({ ...sample.welcome, callbackUrl: link }, context)).one('a').attributes['href'], link)
  }
})

t.test('names in the configuration are escaped too', async (t) => {
  const name = '"><script>alert(1)</script>'
  const choices = [
    { ...sample.github, name },
    { ...sample.email, name, id: 'mail' }
  ]
  const html = renderer.page({ ...sample.signIn, choices }, { ...context, siteName: name })
  t.notOk(read(html).has('script'))
  t.match(read(html).one('.lead').text, name)
})
