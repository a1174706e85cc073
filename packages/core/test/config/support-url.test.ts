import t from 'tap'
import { checkTheme } from '../../src/config/check-theme.ts'
import { toSupportUrl } from '../../src/config/support-url.ts'

const getProblems = (support: string) => checkTheme({ providers: [], theme: { links: { support } } })

t.test('an address, a page of the application or of another site', async (t) => {
  for (const [support, url = support] of [
    ['help@example.com', 'mailto:help@example.com'],
    ['mailto:help@example.com'],
    ['MAILTO:help@example.com?subject=Sign-in'],
    ['/contact?from=sign-in'],
    ['https://help.example.com/contact'],
    ['']
  ] as const) {
    t.same(getProblems(support), [], support)
    t.equal(toSupportUrl(support), url)
  }
})

t.test('what leads nowhere, or runs a script, is refused with what is expected', async (t) => {
  for (const support of [
    'help',
    'help@',
    'mailto:',
    'mailto:help',
    '//evil.test',
    '/\\evil.test',
    'javascript:alert(1)'
  ]) {
    const [problem, ...others] = getProblems(support)
    t.match(problem, {
      option: 'theme.links.support',
      code: 'INVALID_VALUE',
      message: /help@example.com.*\/contact.*https/
    })
    t.same(others, [], support)
  }
  t.equal(getProblems('https://ada:secret@example.com/').length, 1)
})
