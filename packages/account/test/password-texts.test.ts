import t from 'tap'
import { strengthScript } from '../src/password/strength.ts'
import { createTexts } from '../src/password/texts.ts'
import { base, openApplication } from './password-application.ts'

const texts = createTexts(15)

const isLanguage = (name: string): name is keyof typeof texts => Object.hasOwn(texts, name)

t.test('screens from right to left are in their language', async (t) => {
  const app = await openApplication(t, 'database')
  for (const language of ['ar', 'he'].filter(isLanguage)) {
    const page = await app.newBrowser().open(`${base}/password/sign-up`, { headers: { 'accept-language': language } })
    t.match(page.html().querySelector('html')?.attrs, { lang: language, dir: 'rtl' })
    t.equal(page.html().querySelector('h1')?.text, texts[language].createAccount)
    t.equal(page.html().querySelector('#password-hint')?.text, texts[language].passwordHint)
  }
})

const passwords: readonly (readonly [password: string, strength: string])[] = [
  ['a', 'strengthFair'],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'strengthFair'],
  ['abcdefghijklmnopqrstuvwxyz', 'strengthFair'],
  ['abababababababababababab', 'strengthFair'],
  ['98765432109876543210', 'strengthFair'],
  ['qwertyuiopasdfgh', 'strengthFair'],
  ['1qaz2wsx3edc4rfv', 'strengthFair'],
  ['\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u0439\u043a\u043b\u043c\u043d\u043e\u043f', 'strengthFair'],
  ['fifteen letters', 'strengthFair'],
  ['a sentence that is easy to remember', 'strengthStrong'],
  ['correct horse battery', 'strengthGood'],
  ['\u{1F511}\u{1F512}'.repeat(20), 'strengthFair'],
  ['\uff41\uff42\uff43 full width letters', 'strengthGood'],
  ['', 'strengthFair'],
  ['a good sentence to know', 'strengthStrong']
]

t.test('the script counts neither repetitions nor sequences', async (t) => {
  const getStrength: unknown = new Function(`${strengthScript}\nreturn getStrength`)()
  if (typeof getStrength !== 'function') throw new Error('expected a function')
  for (const [password, strength] of passwords) t.equal(getStrength(password), strength, password)
})

t.test('a form that is refused shows no strength of its empty field, and the script is a file', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = app.newBrowser()
  const page = await browser.open(`${base}/password/sign-up`)
  t.equal(page.html().querySelectorAll('script:not([src])').length, 0, 'no inline script')
  const source = page
    .html()
    .querySelectorAll('script[src]')
    .map((script) => script.getAttribute('src') ?? '')
    .find((src) => src.includes('/assets/password-'))
  t.equal((await browser.open(source ?? '')).body, strengthScript)
  const fields = { email: 'no address', password: 'a long sentence to remember' }
  const refused = await browser.fill(page, 'form', fields)
  t.equal(refused.html().querySelector('#password-hint')?.text, texts.en.passwordHint)
  t.notMatch(refused.body, fields.password)
  const short = await browser.fill(page, 'form', { ...fields, password: 'short' })
  t.equal(short.html().querySelector('#password-error')?.text, 'Use at least 15 characters.')
  const forgot = await browser.open(`${base}/password/forgot`)
  t.notMatch(forgot.body, /assets\/password-/, 'only where a password is chosen')
})
