import { renderToStaticMarkup } from 'react-dom/server'
import t from 'tap'
import { Field, Row, SignInLinks } from '../../src/index.ts'
import { read } from '../dom.ts'

// Without isolation, "Forgot password?" is shown as "?Forgot password" on a page in Arabic (UAX #9).
t.test('each text that may be of the application has its own direction', async (t) => {
  const field = { id: 'company', isExplained: false, isWrong: true, input: { name: 'company', type: 'text' } }
  const link = { href: '/forgot', label: 'Forgot password?' }
  const links = [{ ...link, purpose: null, methods: [] }]
  const parts = [
    <Field key="field" {...field} label="Company (legal name)" hint="Or a name?" error="Who is it?" link={link} />,
    <SignInLinks key="links" links={links} />,
    <Row key="row" title="Who are you?" href="/about" />
  ]
  const isolated = parts.map((part) =>
    read(renderToStaticMarkup(part))
      .all('bdi')
      .map(({ text }) => text)
  )
  t.same(isolated, [
    ['Company (legal name)', 'Forgot password?', 'Who is it?', 'Or a name?'],
    ['Forgot password?'],
    ['Who are you?']
  ])
})
