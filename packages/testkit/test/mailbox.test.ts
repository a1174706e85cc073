import t from 'tap'
import { createMailbox } from '../src/index.ts'

const message = {
  to: 'ada@example.com',
  from: 'no-reply@app.test',
  subject: 'Sign in to app.test',
  html: '<p>Sign in</p>',
  text: 'Open https://app.test/api/auth/callback/email?token=ab12&email=ada%40example.com.\n\nOr enter this code:\n\nBCDF GHJK\n'
}

t.test('a mail is kept with its link and its code', async (t) => {
  const { sendMail, last, mails } = createMailbox()
  await sendMail('smtp://mail.test', message)
  const { url, code, to, server } = last()
  t.equal(url, 'https://app.test/api/auth/callback/email?token=ab12&email=ada%40example.com')
  t.equal(code, 'BCDFGHJK')
  t.match({ to, server }, { to: 'ada@example.com', server: 'smtp://mail.test' })
  t.equal(mails.length, 1)
})

const codes: readonly [text: string, codes: readonly string[]][] = [
  ['BCDFGHJK', ['BCDFGHJK']],
  ['  BCDF-GHJK  ', ['BCDFGHJK']],
  ['Your code is BCDFGHJK.', ['BCDFGHJK']],
  ['Code: BCDF GHJK', ['BCDFGHJK']],
  ['the token BCDFGHJK in a sentence', []],
  ['ABCDEFGH', []],
  ['BCDFGHJKL', []]
]

for (const [text, expected] of codes) {
  t.test(`codes of "${text}" → ${expected.join() || 'none'}`, async (t) => {
    const { sendMail, last } = createMailbox()
    await sendMail('', { ...message, text })
    t.strictSame(last().codes, expected)
  })
}

t.test('asking for what did not arrive fails the test that asks', async (t) => {
  const { sendMail, last } = createMailbox()
  t.throws(() => last(), /expected a mail/)
  await sendMail('', { ...message, text: 'Hello' })
  t.throws(() => last().url, /expected a link in the mail "Sign in to app.test"/)
  t.throws(() => last().code, /expected a code/)
})

t.test('a failing server stores nothing, and can recover', async (t) => {
  const { sendMail, fail, mails } = createMailbox()
  fail(new Error('421 later'))
  await t.rejects(sendMail('', message), /421 later/)
  t.equal(mails.length, 0)
  fail(null)
  await sendMail('', message)
  t.equal(mails.length, 1)
})
