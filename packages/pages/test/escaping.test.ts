import type { Page } from '@postern/core'
import t from 'tap'
import { hole } from '../src/placeholders.ts'
import { createRenderer, en, renderer } from '../src/index.ts'
import { renderView } from '../src/render.tsx'
import { stylesheetFor } from '../src/styles/stylesheet.ts'
import { viewOf } from '../src/view.ts'
import { read, skeleton } from './dom.ts'
import * as sample from './samples.ts'

const frame = sample.frameWith()
const stylesheet = stylesheetFor(frame.theme).name

/** The same page without the cache: React renders it with the values in place. */
const rendered = (page: Page): string =>
  renderView(viewOf(page, en), { frame, texts: en, files: { stylesheet, script: null } })

const hostile: readonly [what: string, text: string][] = [
  ['an element', '<script>alert(1)</script>'],
  ['the end of an attribute', '"><img src=x onerror=alert(1)>'],
  ['the end of an attribute in single quotes', `' onmouseover='alert(1)`],
  ['entities', '&lt;b&gt; & &amp;'],
  ['the end of the title', '</title></style><svg onload=alert(1)>'],
  ['patterns of String.replace', '$& $1 $` $$'],
  ['holes', `${hole(0)}${hole(1)}${hole(2)}`],
  ['lone surrogates', '\ud800 lone \udfff'],
  ['control characters', '\u202eoverride\u2028\u0000\r\n'],
  ['placeholders of other languages', '{{csrfToken}} $' + '{csrfToken} %s'],
  ['a script as a link', 'javascript:alert(1)'],
  ['nothing', '']
]

/** Puts one text into everything of a page that differs from visitor to visitor. */
function filled(page: Page, text: string): Page {
  switch (page.name) {
    case 'signin':
      return { ...page, csrfToken: text, callbackUrl: text, ref: page.ref && text }
    case 'signout':
      return { ...page, csrfToken: text, callbackUrl: text, action: text }
    case 'verify-request': {
      const code = page.code && { ...page.code, action: text, csrfToken: text }
      return { ...page, identifier: page.identifier && text, code, ref: page.ref && text }
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
    case 'welcome':
      return { ...page, user: page.user && text, callbackUrl: text }
  }
}

t.test('a kept page is what React would render, for every screen and again', async (t) => {
  const { page: show } = await createRenderer()
  for (const page of sample.pages) {
    t.equal(show(page, frame), rendered(page))
    const other = filled(page, 'another visitor')
    t.equal(show(other, frame), rendered(other))
    t.equal(show(page, frame), rendered(page))
  }
})

for (const [what, text] of hostile) {
  t.test(`text stays text: ${what}`, async (t) => {
    for (const page of sample.pages) {
      const attacked = filled(page, text)
      const html = renderer.page(attacked, frame)
      t.equal(html, rendered(attacked), 'as React escapes it')
      // An empty name is as good as none, and changes the page.
      if (text === '') continue
      t.same(skeleton(read(html)), skeleton(read(renderer.page(page, frame))), 'no element and no attribute is added')
    }
  })
}

t.test('a value that spells a hole is not filled', async (t) => {
  const html = renderer.page({ ...sample.signOut, csrfToken: hole(1), callbackUrl: '/secret' }, frame)
  t.equal(
    read(html)
      .all('input')
      .find(({ attributes }) => attributes['name'] === 'csrfToken')?.attributes['value'],
    hole(1)
  )
})

t.test('one visitor never sees the values of another', async (t) => {
  const { page: show } = await createRenderer()
  for (const page of sample.pages) {
    show(filled(page, 'values-of-ada'), frame)
    t.notMatch(show(filled(page, 'values-of-bob'), frame), 'values-of-ada', page.name)
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
    t.equal(read(renderer.page({ ...sample.welcome, callbackUrl: link }, frame)).one('a').attributes['href'], '/')
    t.equal(read(renderer.page({ ...sample.error, signInUrl: link }, frame)).one('a').attributes['href'], '/')
    t.equal(read(renderer.page({ ...sample.otherUser, callbackUrl: link }, frame)).one('a').attributes['href'], '/')
    t.equal(read(renderer.page({ ...sample.signOut, callbackUrl: link }, frame)).one('a').attributes['href'], '/')
    t.equal(read(renderer.page({ ...sample.signOut, action: link }, frame)).one('form').attributes['action'], '/')
    const choices = [{ ...sample.github, action: link }]
    t.equal(read(renderer.page({ ...sample.signIn, choices }, frame)).one('form').attributes['action'], '/')
  }
  for (const link of ['/a?b=c#d', 'https://app.example.com/', 'http://localhost:3000/', '?x', 'a:b/../c'.slice(2)]) {
    t.equal(read(renderer.page({ ...sample.welcome, callbackUrl: link }, frame)).one('a').attributes['href'], link)
  }
})

t.test('names in the configuration are escaped too', async (t) => {
  const name = '"><script>alert(1)</script>'
  const choices = [
    { ...sample.github, name },
    { ...sample.email, name, id: 'mail' }
  ]
  const html = renderer.page({ ...sample.signIn, choices }, { ...frame, siteName: name })
  t.notOk(read(html).has('script'))
  t.match(read(html).one('.lead').text, name)
})
