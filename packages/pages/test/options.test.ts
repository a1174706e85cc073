import { ConfigError } from '@postern/core'
import { createElement, memo } from 'react'
import t from 'tap'
import { createRenderer, type RendererOptions } from '../src/index.ts'

class ErrorLog {
  readonly lines: string[] = []
  error(code: string): void {
    this.lines.push(code)
  }
}

const Remembered = memo(() => null)

const cases: readonly (readonly [title: string, options: unknown, option: string, message: RegExp])[] = [
  ['an unknown option', { langauges: ['de'] }, 'langauges', /did you mean languages\?/],
  ['a language that is not a list', { languages: 'de' }, 'languages', /expected "all" or a list of strings/],
  ['no language', { languages: [] }, 'languages', /expected at least one language/],
  ['a language without texts', { languages: ['en', 'sv'] }, 'languages', /there are no texts in sv; there are en, de,/],
  [
    'a text under a wrong name',
    { texts: { de: { signIn: { haeding: 'x' } } } },
    'texts.de.signIn.haeding',
    /did you mean texts\.de\.signIn\.heading\?/
  ],
  [
    'a group under a wrong name',
    { texts: { de: { signin: {} } } },
    'texts.de.signin',
    /did you mean texts\.de\.signIn\?/
  ],
  ['a text that is a number', { texts: { de: { wait: 5 } } }, 'texts.de.wait', /expected a function, got a number/],
  [
    'a function in place of a text',
    { texts: { de: { signIn: { or: () => 'x' } } } },
    'texts.de.signIn.or',
    /expected a string/
  ],
  [
    'a function that throws',
    { texts: { de: { wait: () => JSON.parse('{') } } },
    'texts.de.wait',
    /a function that returns a text/
  ],
  [
    'a function without a text',
    { texts: { en: { mail: { subject: () => null } } } },
    'texts.en.mail.subject',
    /a function that returns a text/
  ],
  ['a language spelled otherwise', { texts: { pt_BR: {} } }, 'texts.pt_BR', /expected a language, like de or pt-BR/],
  ['a language in other letters', { texts: { 'PT-br': {} } }, 'texts.PT-br', /did you mean pt-BR\?/],
  ['a direction that is none', { texts: { en: { dir: 'up' } } }, 'texts.en.dir', /expected "ltr" or "rtl"/],
  [
    'a screen under a wrong name',
    { screens: { Signin: () => null } },
    'screens.Signin',
    /did you mean screens\.SignIn\?/
  ],
  ['a screen that is a text', { screens: { SignIn: '/login' } }, 'screens.SignIn', /expected a function or an object/],
  [
    'a screen that is an element',
    { screens: { SignIn: createElement('p') } },
    'screens.SignIn',
    /expected a component, got an element; pass the component itself/
  ],
  [
    'a screen that is an object',
    { screens: { SignIn: {} } },
    'screens.SignIn',
    /expected a component, got an object; pass/
  ],
  [
    'a screen that was not waited for',
    { screens: { SignIn: Promise.resolve(() => null) } },
    'screens.SignIn',
    /expected a component, got a promise; await it/
  ],
  ['screens in a list', { screens: [] }, 'screens', /expected an object, got a list of 0/],
  ['misspelled screens', { screen: {} }, 'screen', /did you mean screens\?/],
  ['misspelled texts', { text: {} }, 'text', /did you mean texts\?/],
  ['texts that are a text', { texts: 'de' }, 'texts', /expected an object, got a string/],
  [
    'a language by its English name',
    { languages: ['german'] },
    'languages',
    /there are no texts in german; there are en/
  ],
  ['a language that is a number', { languages: ['en', 5] }, 'languages', /expected "all" or a list of strings/],
  ['options that are none', 'de', 'options', /expected an object, got a string/],
  ['options that are null', null, 'options', /expected an object, got null/],
  ['a logger without error()', { logger: {} }, 'logger', /expected a logger with error/],
  ['a logger with a misspelled level', { logger: { eror: () => null } }, 'logger.eror', /did you mean logger\.error\?/],
  ['a logger that is a function', { logger: () => null }, 'logger', /expected an object, got a function/],
  ['a flag that is a text', { lazy: 'yes' }, 'lazy', /expected true or false/],
  ['a script that is a text', { script: 'yes' }, 'script', /expected true or false/]
]

for (const [title, options, option, message] of cases) {
  t.test(`${title} is reported`, async (t) => {
    const error = await createRenderer(options as RendererOptions).catch((reason: unknown) => reason)
    if (!(error instanceof ConfigError)) throw new Error('expected a ConfigError')
    t.equal(error.problems.length, 1)
    t.equal(error.problems[0]?.option, option)
    t.match(error.problems[0]?.message, message)
  })
}

t.test('every error is reported at once', async (t) => {
  const options = { languages: ['sv'], texts: { xx_: {}, de: { signIn: { headin: '' } } } }
  const error = await createRenderer(options as RendererOptions).catch((reason: unknown) => reason)
  t.match(error, { problems: [{ option: 'languages' }, { option: 'texts.xx_' }] })
  t.match(error, /texts\.de\.signIn\.headin: unknown option/)
})

t.test('missing or undefined options are not errors', async (t) => {
  const options = { languages: undefined, texts: { de: undefined }, screens: { SignIn: undefined }, script: undefined }
  await t.resolves(createRenderer(options))
  await t.resolves(createRenderer())
  await t.resolves(createRenderer({ screens: { SignIn: Remembered }, logger: console }))
  await t.resolves(createRenderer({ logger: new ErrorLog() }))
  await t.resolves(createRenderer({ languages: 'all', texts: { de: { wait: (duration) => `Warten: ${duration}` } } }))
})
